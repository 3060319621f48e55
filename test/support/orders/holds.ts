import type { Market, TenantReply } from '../market.ts'

type More = Record<string, unknown>

/** Returns a line to hold: ten units of prime time in one week. */
export function heldLine(more: More = {}): More {
  return { product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 10, spot_length: 30, ...more }
}

export function holdAsk(more: More = {}) {
  return { seller: 'cable', lines: [heldLine()], ttl_minutes: 15, ...more }
}

/** Creates a hold of acme and returns its id. */
export async function heldBy(market: Market, more: More = {}): Promise<string> {
  const { status, body, text }: TenantReply = await market.acme.post('/holds', holdAsk(more))
  if (status !== 201) throw new Error(text)
  return body.hold_id
}

/** Returns a create body whose line cites a hold. */
export function citing(market: Market, hold_id: string, more: More = {}, rate: More = {}) {
  return market.order({ line_items: [market.line({ hold_id, ...more }, rate)] })
}

export async function statusOfHold(market: Market, holdId: string): Promise<string> {
  return (await market.acme.get(`/holds/${holdId}`)).body.status
}

/** Sets the end of a hold to now. */
export async function runOutHold(market: Market, holdId: string): Promise<void> {
  await market.deps.db.pool.query(`update holds set expires_at = now() where hold_id = $1`, [holdId])
}

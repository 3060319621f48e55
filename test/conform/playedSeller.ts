import { setTimeout as sleep } from 'node:timers/promises'
import { weekOf } from '../../src/domain/calendar.ts'

/** The calls of a token to a marketplace: what is refused fails. */
export function callsOf(baseUrl: string, token: string) {
  return async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const reply = await fetch(`${baseUrl}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    const read = JSON.parse(await reply.text())
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(read)}`)
    return read
  }
}

type Call = ReturnType<typeof callsOf>

/** A seller's program: it counters one product, approves all others, and plans what it is asked for. */
export function playSeller(call: Call) {
  let stopped = false
  const decide = async (order_id: string) => {
    const { status, substatus, line_items, request } = await call('GET', `/me/orders/${order_id}`)
    if (status === 'validating' && substatus === 'awaiting_plan') return plan(call, order_id, weekOf(request.flight.start))
    if (status !== 'seller_review') return
    const [{ unit_id, product_id, period, in_response_to }] = line_items
    const isCounter = product_id === 'sbx-countered' && in_response_to === undefined
    const units = isCounter ? [{ unit_id, action: 'counter', counter: { week: period.start, unit_cost: 1_050 } }] : []
    await call('POST', `/me/orders/${order_id}/decide`, { decision: isCounter ? 'counter' : 'approve', actor: 'Ada', units })
  }
  const loop = async () => {
    while (!stopped) {
      const { orders } = await call('GET', '/me/orders?waiting_on=seller')
      // An order may be canceled while it is decided.
      for (const { order_id } of orders) await decide(order_id).catch(() => undefined)
      await sleep(200)
    }
  }
  const played = loop()
  return {
    stop: () => {
      stopped = true
      return played
    },
  }
}

async function plan(call: Call, order_id: string, first: string): Promise<void> {
  const { items } = await call('GET', '/me/rate-cards')
  // Its counters are quotes, which are commits too.
  const card = items.find(({ commit }: { commit: string }) => commit.startsWith('sandbox-'))
  const { entries } = await call('GET', `/me/rate-cards/${card.commit}?limit=5000`)
  const entry = entries.find(
    ({ product_id, week }: { product_id: string; week: string }) => product_id === 'sbx-approved' && week === first,
  )
  const { product_id, week, spot_length, gross_rate_unit, locked_rate_id, market_class, advertiser_class, buy_type, currency } = entry
  const rate = { market_class, advertiser_class, buy_type, currency, unit_cost: gross_rate_unit, locked_rate_id }
  const line = { product_id, period: { grain: 'week', start: week }, units: 1, spot_length, rate }
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  await call('POST', `/me/orders/${order_id}/plan`, {
    actor: 'Ada',
    line_items: [line],
    plan_totals: { gross: gross_rate_unit },
    expires_at,
  })
}

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { polled } from './polled.ts'

interface Credentials {
  readonly base_url: string
  readonly sellers: Readonly<Record<string, { token: string }>>
  readonly buyers: Readonly<Record<string, { token: string }>>
  readonly operators: Readonly<Record<string, { token: string }>>
}

export interface PlacedOrder {
  readonly order_id: string
  readonly external_order_id: string
}

interface Rate {
  readonly spot_length: number
  readonly market_class: string
  readonly advertiser_class: string
  readonly buy_type: string
  readonly clearance_tier?: string
  readonly gross_rate_unit?: number
  readonly locked_rate_id: string
  readonly currency: string
  readonly quote_expires_at?: string
}

interface AvailEntry {
  readonly product_id: string
  readonly period: { readonly grain: string; readonly start: string }
  readonly rates: readonly Rate[]
}

export const SELLER = 'summit'
export const BUYER = 'northlight-media'
export const OPERATOR = 'operations'

/** The running marketplace that the specs use: MARKETPLACE_DATA is its data directory. */
export const credentials = JSON.parse(readFileSync(`${process.env.MARKETPLACE_DATA}/credentials.json`, 'utf8')) as Credentials

export function tokenOf(side: 'seller' | 'buyer' | 'operator', entity: string): string {
  const token = credentials[`${side}s`][entity]?.token
  if (token === undefined) throw new Error(`The sandbox has no ${side} ${entity}.`)
  return token
}

/** A call of `/v1` as another program makes it; fails unless it succeeds. */
export async function call<Body>(token: string, method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await fetch(`${credentials.base_url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return (await reply.json()) as Body
}

/** An order of the buyer that waits for the seller's decision: of the first priced weeks, or of those after `from` of them. */
export async function orderInReview({
  lines = 2,
  units = 4,
  advertiser = 'adv-ridgeline-outdoor',
  campaign = 'winter',
  name = freshName('tv'),
  from = 0,
  agreement = '',
} = {}) {
  const order = await placed({
    external_order_id: name,
    ...(agreement !== '' && { agreement_id: agreement }),
    buyer_metadata: { advertiser_id: advertiser, campaign_id: campaign },
    line_items: (await pricedWeeks())
      .slice(from, from + lines)
      .map(({ product_id, period, rate }) => lineOf(product_id, period, rate, units)),
  })
  await polled(async () => (await orderOf(order.order_id)).status, 30_000).toBe('seller_review')
  return order
}

/** A proposal that waits for the seller's plan, and something that the seller has priced for it. */
export async function proposalOrder(): Promise<PlacedOrder & { readonly product: string; readonly week: string; readonly line: object }> {
  await takeEveryKind()
  const [first] = await pricedWeeks()
  if (first === undefined) throw new Error('The seller has priced no week.')
  const order = await placed({
    request: {
      request_type: 'open',
      budget_gross: 1_000,
      acceptance_band: { metric: 'budget', tolerance_pct: 2, action: 'flag' },
      brief: 'Weeknights, 15-second spots.',
    },
  })
  await polled(async () => (await orderOf(order.order_id)).allowed_actions, 30_000).toContain('plan')
  return { ...order, product: first.product_id, week: first.period.start, line: lineOf(first.product_id, first.period, first.rate, 1) }
}

/**
 * An order by a document: of two lines unless it is given, of which one has another price than is published, so that it waits for the buyer.
 * `total` is what the document states of the four units of its lines.
 */
export async function documentOrder({
  document = '',
  format = 'csv',
  becomes = 'needs_confirmation',
  total = 4,
}: {
  document?: string | Uint8Array<ArrayBuffer>
  format?: 'csv' | 'pdf' | 'xlsx'
  becomes?: string
  total?: number
} = {}): Promise<PlacedOrder> {
  await takeEveryKind()
  const token = tokenOf('buyer', BUYER)
  const bytes = document || (await buysheet(total))
  const { upload_id } = await call<{ upload_id: string }>(token, 'POST', '/uploads', {
    filename: `buysheet.${format}`,
    format,
    size_bytes: Buffer.byteLength(bytes),
  })
  const sent = await fetch(`${credentials.base_url}/uploads/${upload_id}/content`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: bytes,
  })
  if (!sent.ok) throw new Error(`PUT content: ${sent.status} ${await sent.text()}`)
  const order = await placed({ document: { upload_id, format } })
  await polled(async () => (await orderOf(order.order_id)).status, 30_000).toBe(becomes)
  return order
}

/** Has the seller take proposals and documents too. */
async function takeEveryKind(): Promise<void> {
  const profile = readFileSync(new URL('../../../docs/examples/summit-capabilities.json', import.meta.url), 'utf8')
  await call(tokenOf('seller', SELLER), 'PUT', '/me/capabilities', JSON.parse(profile))
}

async function buysheet(total: number): Promise<string> {
  const [first, second] = await pricedWeeks()
  if (first === undefined || second === undefined) throw new Error('The seller has priced fewer than two weeks.')
  const row = ({ product_id, period, rate }: typeof first, price: number) =>
    [product_id, mondayOf(period.start), rate.buy_type.replace('_', '-'), price, 2].join(',')
  const { spot_length, market_class, advertiser_class } = first.rate
  return [
    `Class: ${market_class},Advertiser class: ${advertiser_class},Length: :${spot_length},,`,
    'Program,Week of,Buy Type,Gross Rate,Spots',
    row(first, first.rate.gross_rate_unit ?? 0),
    row(second, (second.rate.gross_rate_unit ?? 0) + 1),
    `Total,,,,${total}`,
  ].join('\n')
}

/**
 * Buysheets that ask: one of two options of two lines each, and one with a program of no product that is sold and a bonus that is not sold, with
 * the product that is meant.
 */
export async function askingSheets(program: string) {
  const [first] = await pricedWeeks()
  const second = (await pricedWeeks()).find(
    ({ product_id, period }) => product_id === first?.product_id && period.start !== first?.period.start,
  )
  if (first === undefined || second === undefined) throw new Error('The seller has priced fewer than two weeks of a product.')
  const { spot_length, market_class, advertiser_class } = first.rate
  const terms = `Class: ${market_class},Advertiser class: ${advertiser_class},Length: :${spot_length},,`
  const heading = 'Program,Week of,Buy Type,Gross Rate,Spots'
  const row = (name: string, { period, rate }: typeof first, units: number, price = `${rate.gross_rate_unit}`) =>
    [name, mondayOf(period.start), rate.buy_type.replace('_', '-'), price, units].join(',')
  const { product_id: product } = first
  const option = (name: string, units: number) => [`${name},,,,`, heading, row(product, first, units), row(product, second, units)]
  return {
    product,
    options: [terms, ...option('Option 1', 2), ...option('Option 2', 3)].join('\n'),
    bonus: [terms, heading, row(program, first, 2), row(product, second, 1, '$0.00')].join('\n'),
  }
}

/** A create of the buyer with everything but what it orders. */
async function placed({
  external_order_id = freshName('tv'),
  ...order
}: {
  external_order_id?: string
  [member: string]: unknown
}): Promise<PlacedOrder> {
  const { order_id } = await call<{ order_id: string }>(tokenOf('buyer', BUYER), 'POST', '/orders', {
    seller: SELLER,
    external_order_id,
    rate_version: await rateVersion(),
    buyer_metadata: { advertiser_id: 'adv-ridgeline-outdoor', campaign_id: 'winter' },
    ...order,
  })
  return { order_id, external_order_id }
}

/** A name that nothing else has. */
export function freshName(prefix: string): string {
  return `${prefix}-${Date.now().toString(36)}-${randomUUID().slice(0, 4)}`
}

/** The id of a thing of this kind that does not exist: `ord`, `inv`, `we`. */
export const nobodys = (kind: string) => `${kind}_06h09s0rdxre395rdjtavfvsdc`

export interface OrderState {
  readonly status: string
  readonly last_seq: number
  readonly allowed_actions: readonly string[]
  readonly line_items: readonly {
    readonly unit_id: string
    readonly status: string
    readonly in_response_to?: string
    readonly period: { readonly start: string }
    readonly rate: { readonly unit_cost?: number; readonly quote_expires_at?: string }
  }[]
}

/** The seller's decision on an order, by another program and another person. */
export async function decide(orderId: string, body: object): Promise<void> {
  await call(tokenOf('seller', SELLER), 'POST', `/me/orders/${orderId}/decide`, { actor: 'Dana Whitfield', ...body })
}

export async function orderOf(orderId: string): Promise<OrderState> {
  return call(tokenOf('seller', SELLER), 'GET', `/me/orders/${orderId}`)
}

let version: Promise<{ rate_version: string }> | undefined
let priced: Promise<{ product_id: string; period: AvailEntry['period']; rate: Rate }[]> | undefined

async function rateVersion(): Promise<string> {
  version ??= call(tokenOf('buyer', BUYER), 'GET', `/sellers/${SELLER}/catalog`)
  return (await version).rate_version
}

/** Weeks that the seller has priced per unit for everybody, in the coming months. */
function pricedWeeks() {
  priced ??= readPricedWeeks()
  return priced
}

async function readPricedWeeks() {
  const token = tokenOf('buyer', BUYER)
  const weeks = `${weekAfter(3)}..${weekAfter(24)}`
  const { avails } = await call<{ avails: AvailEntry[] }>(token, 'GET', `/sellers/${SELLER}/avails?weeks=${weeks}&limit=1000`)
  return avails.flatMap(({ product_id, period, rates }) => {
    const rate = rates.find((one) => one.gross_rate_unit !== undefined && one.quote_expires_at === undefined)
    return rate === undefined || period.grain !== 'week' ? [] : [{ product_id, period, rate }]
  })
}

function lineOf(product_id: string, period: AvailEntry['period'], rate: Rate, units: number) {
  const { market_class, advertiser_class, buy_type, clearance_tier, gross_rate_unit, locked_rate_id, currency } = rate
  return {
    product_id,
    period,
    units,
    spot_length: rate.spot_length,
    rate: {
      market_class,
      advertiser_class,
      buy_type,
      ...(clearance_tier && { clearance_tier }),
      unit_cost: gross_rate_unit,
      locked_rate_id,
      currency,
    },
  }
}

/** The ISO week that begins `weeks` after this one. */
export function weekAfter(weeks: number): string {
  const thursday = new Date(Date.now() + weeks * 7 * 86_400_000)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const week = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7)
  return `${year}-W${String(week).padStart(2, '0')}`
}

/** The Monday of an ISO week, as a buysheet writes it: `2/8/2027`. */
function mondayOf(week: string): string {
  const fourth = new Date(`${week.slice(0, 4)}-01-04T12:00:00Z`)
  const days = 1 - (fourth.getUTCDay() || 7) + (Number(week.slice(6)) - 1) * 7
  const monday = new Date(fourth.getTime() + days * 86_400_000)
  return `${monday.getUTCMonth() + 1}/${monday.getUTCDate()}/${monday.getUTCFullYear()}`
}

import { validateOrder } from '../../src/operations/orders/validateOrder.ts'
import { newId } from '../../src/store/connection/newId.ts'
import { feedSettled } from './engines/feedSettled.ts'
import { startApp, type TestApp } from './http/app.ts'
import { checkReply, type WireReply } from './http/contract.ts'
import { exchange, type Method } from './http/exchange.ts'
import { aCard, aCatalog, anAvail, aProduct, aRate } from './orders/published.ts'

/** The requests of one tenant. Every reply is checked against the contract. A string is sent as is, anything else as JSON. */
export interface Tenant {
  readonly token: string
  get(path: string): Promise<TenantReply>
  post(path: string, body: unknown): Promise<TenantReply>
  put(path: string, body: unknown): Promise<TenantReply>
  patch(path: string, body: unknown): Promise<TenantReply>
  delete(path: string): Promise<TenantReply>
}

/** A reply of any status; each test says what its body holds. */
export interface TenantReply extends WireReply {
  // biome-ignore lint/suspicious/noExplicitAny: a body may be of any operation, or an error
  readonly body: any
}

/** The API with a seller's June published, and tenants that order and decide. */
export interface Market extends TestApp {
  readonly acme: Tenant
  readonly zenith: Tenant
  readonly cable: Tenant
  readonly station: Tenant
  /** The operators of the marketplace. */
  readonly operations: Tenant
  tenant(token: string): Tenant
  /** Returns the locked_rate_id of a published price. */
  price(product_id: string, week: string, advertiser_class?: string): string
  /** Returns a valid line: ten units of prime time in one week. */
  line(more?: Record<string, unknown>, rate?: Record<string, unknown>): Record<string, unknown>
  /** Returns a valid create body with a new external_order_id. */
  order(more?: Record<string, unknown>): Record<string, unknown> & { external_order_id: string }
  /** Creates an order and returns its id; its status is submitted. */
  created(more?: Record<string, unknown>): Promise<string>
  /** Validates an order as its workflow does: to seller_review, or failed. */
  validate(orderId: string): Promise<string>
  /** Creates an order in seller_review. */
  parked(more?: Record<string, unknown>): Promise<string>
  /** Creates an order that failed in validation, since its product is published as unavailable. */
  failed(): Promise<string>
  /** Creates an order that the seller approved as a whole. */
  placed(more?: Record<string, unknown>): Promise<string>
  snapshot(orderId: string): Promise<Snapshot>
  /** Returns all events of an order's log, as the buyer reads them. */
  events(orderId: string): Promise<Record<string, unknown>[]>
}

export interface Snapshot extends Record<string, unknown> {
  status: string
  last_seq: number
  line_items: {
    unit_id: string
    locked_rate_id?: string
    units: number
    num_accepted: number
    status: string
    allocation: { date: string; units: number }[]
  }[]
}

/** June 2030: the month touches W22 (from May 27) to W26 (to June 30). */
const JUNE = { start: '2030-05-27', end: '2030-06-30' }
export const WEEKS = ['2030-W22', '2030-W23', '2030-W24', '2030-W25', '2030-W26'] as const

const CATALOG = aCatalog(
  aProduct('prime', {
    grains: ['day', 'week', 'month'],
    buy_types: ['preemptible', 'audience_guaranteed'],
    mirror_product_id: 'prime-west',
  }),
  aProduct('prime-west', { network: 'CBL-W' }),
  aProduct('weekend', { type: 'rotator', definition: { windows: [{ days: ['Sat', 'Sun'], start: '08:00', end: '20:00' }] } }),
  aProduct('spring', { effective: { start: '2030-03-01', end: '2030-06-05' } }),
  aProduct('finale', {
    type: 'program',
    definition: { title: 'Finale', timezone: 'UTC', occurrences: [{ date: '2030-06-05', start: '20:00', end: '22:00' }] },
  }),
  aProduct('hidden', { visibility: 'by_agreement' }),
)

const CARD = [
  aRate('prime'),
  aRate('prime', { advertiser_class: 'charity', gross_rate_cpm: 0.67, guaranteed_impressions: 500, week: '2030-W23' }),
  aRate('prime', { advertiser_class: 'export', currency: 'EUR' }),
  aRate('prime', { advertiser_class: 'bare', gross_rate_cpm: 20 }),
  aRate('prime', {
    advertiser_class: 'guaranteed',
    buy_type: 'audience_guaranteed',
    gross_rate_cpm: 24.5,
    guaranteed_impressions: 40_000,
    audience_code: 'A25-54',
  }),
  ...['weekend', 'spring', 'finale', 'hidden'].map((product_id) => aRate(product_id, { gross_rate_unit: 99.99 })),
]

const AVAILS = [
  ...WEEKS.map((start) => anAvail('prime', { period: { grain: 'week', start } })),
  anAvail('prime', { period: { grain: 'day', start: '2030-06-05' }, basis: 'measured', sellout_level: 0.4 }),
  anAvail('weekend', { period: { grain: 'week', start: '2030-W24' }, state: 'unavailable' }),
]

export async function startMarket(options: Parameters<typeof startApp>[0] = {}): Promise<Market> {
  const app = await startApp(options)
  const tenant = (token: string) => tenantOf(app, token)
  const { sellers, buyers, operators } = app.tokens
  const [cable, station, acme, zenith] = [tenant(sellers.cable), tenant(sellers.station), tenant(buyers.acme), tenant(buyers.zenith)]
  const operations = tenant(operators.operations)
  await published(cable, '/me/catalog', CATALOG)
  await published(cable, '/me/rate-cards', aCard('june', CARD, { effective: JUNE }))
  await published(cable, '/me/avails', { avails: AVAILS })
  await published(station, '/me/catalog', aCatalog(aProduct('news')))
  await published(station, '/me/rate-cards', aCard('june-local', [aRate('news')], { effective: JUNE }))
  // A subscription that begins now must not get the notices of these publishes.
  await feedSettled(app.deps.db)
  const prices = [...(await pricesOf(cable, 'june')), ...(await pricesOf(station, 'june-local'))]

  const price: Market['price'] = (product_id, week, advertiser_class = 'general') => {
    const found = prices.find(
      (entry) => entry.product_id === product_id && entry.week === week && entry.advertiser_class === advertiser_class,
    )
    if (found === undefined) throw new Error(`${product_id} has no ${advertiser_class} price in ${week}`)
    return found.locked_rate_id
  }
  const line: Market['line'] = (more = {}, rate = {}) => ({
    product_id: 'prime',
    period: { grain: 'week', start: '2030-W23' },
    units: 10,
    spot_length: 30,
    ...more,
    rate: {
      market_class: 'scatter',
      advertiser_class: 'general',
      buy_type: 'preemptible',
      ...('cpm' in rate ? {} : { unit_cost: 1250.5 }),
      locked_rate_id: price('prime', '2030-W23'),
      currency: 'USD',
      ...rate,
    },
  })
  let orders = 0
  const order: Market['order'] = (more = {}) => ({
    seller: 'cable',
    external_order_id: `ext-${++orders}`,
    rate_version: 'june',
    buyer_metadata: { advertiser_id: 'adv-1' },
    line_items: [line()],
    ...more,
  })
  const created: Market['created'] = async (more) => expected(await acme.post('/orders', order(more)), 201).order_id as string
  const validate: Market['validate'] = async (orderId) => (await validateOrder(app.deps.orders, orderId, newId('cmd_'))).status
  const parked: Market['parked'] = async (more) => {
    const orderId = await created(more)
    await validate(orderId)
    return orderId
  }
  const failed: Market['failed'] = async () => {
    const week = '2030-W24'
    const unavailable = line(
      { product_id: 'weekend', period: { grain: 'week', start: week } },
      { unit_cost: 99.99, locked_rate_id: price('weekend', week) },
    )
    const orderId = await created({ line_items: [unavailable] })
    await validate(orderId)
    return orderId
  }
  const placed: Market['placed'] = async (more) => {
    const orderId = await parked(more)
    expected(await cable.post(`/me/orders/${orderId}/decide`, { decision: 'approve', actor: 'Ada' }), 202)
    return orderId
  }
  const snapshot: Market['snapshot'] = async (orderId) => expected(await acme.get(`/orders/${orderId}`), 200) as Snapshot
  const events: Market['events'] = async (orderId) => expected(await acme.get(`/events?order=${orderId}`), 200).events
  const tenants = { acme, zenith, cable, station, operations }
  return { ...app, ...tenants, tenant, price, line, order, created, validate, parked, failed, placed, snapshot, events }
}

function tenantOf(app: TestApp, token: string): Tenant {
  const send = async (method: Method, path: string, body?: unknown): Promise<TenantReply> => {
    const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    const { status, headers, text } = await exchange({ baseUrl: app.baseUrl, token, timeoutMs: 60_000 }, { method, path, body: sent })
    const reply = { status, headers: Object.fromEntries(headers), text }
    checkReply(method, path, reply)
    const isJson = headers.get('content-type')?.startsWith('application/json')
    return { ...reply, body: isJson ? JSON.parse(text) : {} }
  }
  return {
    token,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    patch: (path, body) => send('PATCH', path, body),
    delete: (path) => send('DELETE', path),
  }
}

async function published(seller: Tenant, path: string, body: object): Promise<void> {
  const reply = expected(await seller.put(path, body), 200)
  if (reply.rejected !== 0) throw new Error(`${path} was not published: ${JSON.stringify(reply.errors)}`)
}

async function pricesOf(seller: Tenant, commit: string) {
  const { entries } = expected(await seller.get(`/me/rate-cards/${commit}?limit=5000`), 200)
  return entries as { product_id: string; week: string; advertiser_class: string; locked_rate_id: string }[]
}

function expected({ status, body, text }: TenantReply, wanted: number) {
  if (status !== wanted) throw new Error(`expected ${wanted}, got ${status} ${text}`)
  return body
}

import { setTimeout as sleep } from 'node:timers/promises'
import { MarketplaceError } from '../../client/src/index.ts'
import type { AvailRate } from '../../src/contract/avail.ts'
import type { CreateOrder } from '../../src/contract/createOrder.ts'
import type { OrderSnapshot } from '../../src/contract/order.ts'
import { addDays, dateOf, weekOf } from '../../src/domain/calendar.ts'
import { type Operations, openOwnClient } from '../../src/sdk/ownClient.ts'

/** What a buyer met, for the table at the end. */
export interface Met {
  readonly statuses: Set<string>
  readonly codes: Set<string>
}

/** A buyer with a token and nothing else. */
export interface SandboxBuyer {
  readonly client: Operations
  readonly token: string
  readonly met: Met
  /** The week of its orders: five weeks from now. */
  readonly week: string
  /** A line of a product at its published price. */
  line(product_id: string, more?: Partial<Line>, seller?: string): Promise<Line>
  /** Places an order of these lines. */
  order(lines: readonly Line[], more?: Partial<CreateOrder>): Promise<string>
  request(request: NonNullable<CreateOrder['request']>, more?: Partial<CreateOrder>): Promise<string>
  document(document: NonNullable<CreateOrder['document']>): Promise<string>
  read(order_id: string): Promise<OrderSnapshot>
  /** Reads the order until it is as wanted. */
  until(order_id: string, wanted: (order: OrderSnapshot) => boolean, what?: string): Promise<OrderSnapshot>
  untilStatus(order_id: string, status: string): Promise<OrderSnapshot>
  /** The code of a refusal, which is met. */
  refused(call: Promise<unknown>): Promise<string>
}

type Line = NonNullable<CreateOrder['line_items']>[number]

/** A machine may be busy with other tests. */
const PATIENCE_MS = 120_000
const POLL_MS = 250

export function sandboxBuyer(baseUrl: string, token: string): SandboxBuyer {
  const client = openOwnClient({ baseUrl, token, retry: { attempts: Number.POSITIVE_INFINITY, withinMs: 60_000, timeoutMs: 30_000 } })
  const met: Met = { statuses: new Set(), codes: new Set() }
  const week = weekOf(addDays(dateOf(new Date().toISOString()), 35))
  let orders = 0
  const rateOf = async (seller: string, product_id: string, weeks: string): Promise<AvailRate> => {
    const { avails } = (await client.getAvails({ path: { seller }, query: { product_id, weeks } })).body
    const rate = avails.flatMap(({ rates }) => rates)[0]
    if (rate === undefined) throw new Error(`${product_id} of ${seller} has no price in ${weeks}`)
    return rate
  }
  const see = (order: OrderSnapshot): OrderSnapshot => {
    met.statuses.add(order.status)
    if (order.error !== undefined) met.codes.add(order.error.error_code)
    return order
  }
  const place = async (body: Partial<CreateOrder>): Promise<string> => {
    const head = { seller: 'sandbox-tv', rate_version: 'any', buyer_metadata: { advertiser_id: 'adv-1' } }
    const seller = body.seller ?? head.seller
    const { rate_version } = (await client.getCatalog({ path: { seller } })).body
    const order = { ...head, rate_version: rate_version ?? 'none', external_order_id: `${week}-${++orders}-${token.slice(-6)}`, ...body }
    const created = (await client.createOrder({ body: order as CreateOrder })).body
    met.statuses.add(created.status)
    return created.order_id
  }
  const read: SandboxBuyer['read'] = async (order_id) => see((await client.getOrder({ path: { order_id } })).body)
  const until: SandboxBuyer['until'] = async (order_id, wanted, what = 'as wanted') => {
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const order = await read(order_id)
      if (wanted(order)) return noted(client, met, order)
      if (Date.now() > end) throw new Error(`${order_id} is ${order.status} (${order.substatus}), not ${what}`)
      await sleep(POLL_MS)
    }
  }
  return {
    ...{ client, token, met, week, read, until },
    async line(product_id, more = {}, seller = 'sandbox-tv') {
      const period = more.period ?? { grain: 'week' as const, start: week }
      const first = period.grain === 'week' ? period.start : weekOf(period.grain === 'day' ? period.start : `${period.start}-01`)
      const rate = await rateOf(seller, product_id, first)
      const { market_class, advertiser_class, buy_type, locked_rate_id, currency, guaranteed_impressions, audience_code } = rate
      return {
        ...{ product_id, period, units: 3, spot_length: rate.spot_length },
        ...more,
        rate: {
          ...{ market_class, advertiser_class, buy_type, locked_rate_id, currency },
          ...(rate.gross_rate_unit === undefined ? { cpm: rate.gross_rate_cpm } : { unit_cost: rate.gross_rate_unit }),
          ...(guaranteed_impressions === undefined ? {} : { guaranteed_impressions }),
          ...(audience_code === undefined ? {} : { audience_code }),
        },
      }
    },
    order: (line_items, more = {}) => place({ line_items: [...line_items], ...more }),
    document: (document) => place({ document }),
    request: (request, more = {}) => place({ request, ...more }),
    untilStatus: (order_id, status) => until(order_id, (order) => order.status === status, status),
    async refused(call) {
      try {
        await call
      } catch (error) {
        if (!(error instanceof MarketplaceError) || error.code === undefined) throw error
        met.codes.add(error.code)
        return error.code
      }
      return 'nothing'
    },
  }
}

/** Has the sandbox's buyer order from a seller, and returns the id of the order. */
export async function demanded(client: Operations, body: Parameters<Operations['orderFromSeller']>[0]['body']): Promise<string> {
  const { external_order_id } = (await client.orderFromSeller({ body })).body
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(POLL_MS)) {
    const { order_id } = (await client.getDemandedOrder({ path: { external_order_id } })).body
    if (order_id !== undefined) return order_id
  }
  throw new Error(`${external_order_id} has not been ordered`)
}

/** Notes every status that the log of an order has passed. */
async function noted(client: Operations, { statuses }: Met, order: OrderSnapshot): Promise<OrderSnapshot> {
  const { events } = (await client.replayEvents({ query: { order: order.order_id } })).body
  for (const { status } of events) statuses.add(status)
  return order
}

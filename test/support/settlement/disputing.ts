import { beforeAll } from '@jest/globals'
import type { Market } from '../market.ts'
import { aLogged, bookedOrder, sendPosts } from './sendPosts.ts'

/** The price of a spot of the market; an order has ten. */
export const PRICE = 1250.5
/** A time after the month of the market's spots has cleared. */
const CLEARED = '2030-07-01T14:00:00Z'
const effective = { start: '2020-01-01', end: '2099-12-31' }
const terms = { buyer_entity: 'acme', effective, settlement_mode: 'cleared', agency_commission_pct: 15 }

interface Spec {
  readonly cleared?: boolean
  readonly invoiced?: boolean
  readonly rows?: (order: string) => object[]
}

interface Shown {
  variance_id: string
  code: string
  state: string
  gross: number
  actions: { amount?: number }[]
}

/**
 * Provides the steps of acme and cable with variances of their orders. Grants an agreement whose orders are invoiced. Makes `ready` orders
 * together for `disputable`, which takes less time than one after another.
 */
export function disputing(market: Market, { ready = 0 } = {}) {
  const made: string[] = []
  beforeAll(async () => {
    await market.cable.put('/me/agreements/agr-1', terms)
    if (ready === 0) return
    made.push(...(await Promise.all(Array.from({ length: ready }, () => bookedOrder(market, { agreement_id: 'agr-1' })))))
    const rows = made.map((order) => late(order))
    await sendPosts(market, 'cable', rows)
    await invoice()
  })
  const variances = async (order: string, query = ''): Promise<Shown[]> =>
    (await market.acme.get(`/orders/${order}/reconciliation${query}`)).body.lines.flatMap((line: { variances: Shown[] }) => line.variances)
  const idOf = async (order: string, code: string) => (await variances(order, `?code=${code}`)).at(0)?.variance_id ?? ''
  const late = (order: string, air_time = '23:30') => aLogged(order, { air_time })
  const invoice = () => market.cable.post('/sandbox/settlement', { as_of: CLEARED })
  /** Creates an order with a spot out of its daypart on Monday, by default invoiced; without `spec` it may be one that is ready. */
  async function disputable(spec?: Spec) {
    const order = (spec === undefined ? made.pop() : undefined) ?? (await newOrder(spec))
    const found = await variances(order)
    const idOf = (code: string) => found.find((each) => each.code === code)?.variance_id ?? ''
    return { order, id: idOf('OUT_OF_DAYPART'), idOf }
  }
  async function newOrder({ cleared = true, invoiced = cleared, rows = (order) => [late(order)] }: Spec = {}): Promise<string> {
    const order = await bookedOrder(market, cleared ? { agreement_id: 'agr-1' } : {})
    await sendPosts(market, 'cable', rows(order))
    if (invoiced) await invoice()
    return order
  }
  const answer = (order: string, id: string, action: string, more: object = {}) =>
    market.acme.post(`/orders/${order}/reconciliation/variances/${id}`, { action, ...more })
  const settle = (order: string, id: string, action: string, more: object = {}) =>
    market.cable.post(`/me/orders/${order}/reconciliation/variances/${id}`, { action, ...more })
  const invoicesOf = async (order: string) =>
    (await market.acme.get(`/settlement/invoices?order_id=${order}`)).body.items.reverse() as Record<string, unknown>[]
  const undisputed = async (order: string) => (await invoicesOf(order))[0]?.undisputed_gross
  return { variances, idOf, late, invoice, disputable, answer, settle, invoicesOf, undisputed }
}

import type { Market, TenantReply } from '../market.ts'
import { bookedOrder } from '../settlement/sendPosts.ts'

/** The market's order books ten units of prime time in 2030-W23: four on Monday, three on Wednesday and three on Friday, at 1,250.50. */
export const [MONDAY, WEDNESDAY, FRIDAY] = ['2030-06-03', '2030-06-05', '2030-06-07'] as const
export const PRICE = 1250.5

/** The steps of acme and cable with makegoods of their orders. */
export function makegoodsOf(market: Market) {
  const unitOf = async (order: string): Promise<string> => (await market.snapshot(order)).line_items[0]?.unit_id ?? ''
  const missing = async (order: string, units = 1, date: string = MONDAY) => ({
    ...{ unit_id: await unitOf(order), date, units, reason_code: 'preempted' },
  })
  const anOffer = (more: object = {}) => ({ product_id: 'prime', date: FRIDAY, units: 1, spot_length: 30, ...more })
  /** Notices one unit of Monday unless the body says otherwise. */
  const notice = async (order: string, more: object = {}): Promise<TenantReply> =>
    market.cable.post(`/me/orders/${order}/makegoods`, { for: [await missing(order)], ...more })
  const offered = async (order: string, more: object = {}): Promise<string> =>
    (await notice(order, { offers: [anOffer()], ...more })).body.makegood_id
  const revise = (order: string, id: string, body: object) => market.cable.post(`/me/orders/${order}/makegoods/${id}`, body)
  const answer = (order: string, id: string, action: string, more: object = {}) =>
    market.acme.post(`/orders/${order}/makegoods/${id}`, { action, version: 1, ...more })
  const read = async (order: string, id: string) => (await market.acme.get(`/orders/${order}/makegoods/${id}`)).body
  return { unitOf, missing, anOffer, notice, offered, revise, answer, read }
}

/** Makes a makegood that each side has ended, so that doing the same again changes nothing: the seller recalled one, the buyer declined the other. */
export async function endedMakegoods(market: Market): Promise<{ buyer: readonly [string, string]; seller: readonly [string, string] }> {
  const { notice, offered, revise, answer } = makegoodsOf(market)
  const order = await bookedOrder(market)
  const declined = await offered(order)
  await answer(order, declined, 'decline')
  const recalled: string = (await notice(order)).body.makegood_id
  await revise(order, recalled, { action: 'recall' })
  return { buyer: [order, declined], seller: [order, recalled] }
}

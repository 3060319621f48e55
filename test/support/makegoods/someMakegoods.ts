import type { NoticeMakegood, OfferMakegood } from '../../../src/contract/makegood.ts'
import { answerMakegood } from '../../../src/domain/makegood/buyer.ts'
import type { MakegoodFacts } from '../../../src/domain/makegood/makegoodFacts.ts'
import type { MakegoodState } from '../../../src/domain/makegood/makegoodState.ts'
import { noticeMakegood } from '../../../src/domain/makegood/seller.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { anOrder, aProduct, type OrderChanges } from '../orders/anOrder.ts'

/** Makegoods of one order: six units of `prime` at 100.00, two each on 2026-12-07, 12-09 and 12-11. */

export const UNIT = 'unit_1'
export const [MONDAY, WEDNESDAY, FRIDAY] = ['2026-12-07', '2026-12-09', '2026-12-11'] as const
/** Before the flight. */
export const NOW = '2026-12-01T12:00:00.000Z'

export function aPlaced(changes: OrderChanges = {}): OrderState {
  return anOrder({ status: 'placed', ...changes })
}

const PLACED = aPlaced()
const PRODUCTS = [aProduct(), aProduct({ product_id: 'late', definition: { start: '23:00', end: '23:59' } })]
const WEEKS = ['2026-W49', '2026-W50', '2026-W51', '2026-W52']
const PRICED = PRODUCTS.flatMap(({ product_id }) =>
  WEEKS.flatMap((week) => [15, 30, 60].map((spot_length) => ({ product_id, week, spot_length }))),
)

/** Facts in which every product is sold and priced in every week of the tests. */
export function facts(more: Partial<MakegoodFacts> = {}): MakegoodFacts {
  return { order: PLACED, others: [], now: NOW, reconciled: [], products: PRODUCTS, priced: PRICED, ...more }
}

export function missing(units = 1, date: string = MONDAY, unit_id = UNIT) {
  return { unit_id, date, units, reason_code: 'preempted' }
}

export function anOffer(more: Partial<OfferMakegood> = {}): OfferMakegood {
  return { product_id: 'prime', date: FRIDAY, units: 1, spot_length: 30, ...more }
}

export function noticed(ask: Partial<NoticeMakegood> = {}, given: MakegoodFacts = facts()): MakegoodState {
  return noticeMakegood({ for: [missing()], ...ask, actor: 'Sam' }, given).makegood
}

export function offered(ask: Partial<NoticeMakegood> = {}, given: MakegoodFacts = facts()): MakegoodState {
  return noticed({ offers: [anOffer()], ...ask }, given)
}

export function accepted(ask: Partial<NoticeMakegood> = {}, given: MakegoodFacts = facts()): MakegoodState {
  const makegood = offered(ask, given)
  return answerMakegood(makegood, { action: 'accept', version: makegood.version, actor: 'Bo' }, given).makegood
}

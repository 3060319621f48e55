import type { LineItem } from '../../../src/contract/lineItem.ts'
import type { Product } from '../../../src/contract/product.ts'
import type { EdiMessage, EdiTerms } from '../../../src/domain/edi/buildScx.ts'
import { describeOrder, type OrderDescriptors } from '../../../src/domain/edi/describeOrder.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { aLine, anOrder, aProduct, type OrderChanges } from '../orders/anOrder.ts'

/** The terms and names from which documents are made. */
export const TERMS: EdiTerms = { agreement_id: 'agr_one' }
export const NAMES = { agency: 'Agency One', seller: 'Seller One' }

export function aMessage(more: Partial<EdiMessage> = {}): EdiMessage {
  return { event: 'placed', document_id: 'edi_1', occurred_at: '2026-11-02T09:05:00.000Z', ...more }
}

/** Returns a placed order and the descriptors of its products, each a daypart by default. */
export function aPlacedOrder(
  changes: OrderChanges = {},
  products: readonly Product[] = [],
): { order: OrderState; descriptors: OrderDescriptors } {
  const ids = new Set((changes.lines ?? [aLine()]).map(({ product_id }) => product_id))
  const known = [...ids].map((product_id) => products.find((product) => product.product_id === product_id) ?? aProduct({ product_id }))
  const intake = { products: known, ...changes.intake }
  const order = anOrder({ status: 'placed', ...changes, intake })
  return { order, descriptors: describeOrder(order, NAMES, known) }
}

/** The lines of the worked example: eight units in a week, and sixteen by cpm in a month that ends in the next broadcast month. */
export const EXAMPLE_LINES: LineItem[] = [
  aLine({ product_id: 'prime', period: { grain: 'week', start: '2027-W05' }, units: 8, rate: { unit_cost: 4200 } }),
  aLine({
    product_id: 'late',
    period: { grain: 'month', start: '2027-03' },
    units: 16,
    rate: { cpm: 12.35, guaranteed_impressions: 105_500, audience_code: 'A25-54', buy_type: 'audience_guaranteed' },
  }),
]

import { type Decimal, decimal, sum } from '../decimal.ts'
import { exposureOf } from '../order/exposure.ts'
import type { OrderState } from '../order/state.ts'
import { billedMonths } from './billedMonths.ts'

/**
 * Returns what an order draws on the credit of its agreement before payments and credits (choices, Pacing, credit). A cleared order draws
 * the most that it may total until it is placed, and then what it bills, with its late fee; any other order draws nothing.
 */
export function amountOwed(order: OrderState): Decimal {
  if (order.facts.settlement_mode !== 'cleared') return decimal(0)
  if (order.status === 'rejected' || order.status === 'failed') return decimal(0)
  if (order.status === 'canceled' || order.status === 'placed') return sum(billedMonths(order).map(({ gross }) => gross))
  return exposureOf(order)
}

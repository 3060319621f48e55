import type { OrderState } from '../../../src/domain/order/state.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import type { Violation } from './invariants.ts'
import type { StoredOrder } from './invariantsFold.ts'

/** Gathers the dates that the orders of each family bill, order by order: a date that two of them bill is billed twice. */
export function datesOfFamilies(): { add(order: OrderState, stored: Pick<StoredOrder, 'root'>): Violation[] } {
  const billedBy = new Map<string, string>()
  return {
    add(order, { root }) {
      if (root === null) return []
      const { order_id } = order.facts
      const dates = billedMonths(order).flatMap(({ lines }) => lines.flatMap(({ dates: ofLine = [] }) => ofLine.map(({ date }) => date)))
      return [...new Set(dates)].flatMap((date) => {
        const other = billedBy.get(`${root} ${date}`)
        billedBy.set(`${root} ${date}`, order_id)
        return other === undefined ? [] : [{ invariant: 'I16' as const, order_id, problem: `${other} of its family bills ${date} too` }]
      })
    },
  }
}

import type { Validated } from '../../domain/order/head.ts'
import { beginValidation, type LiveAvailability, validate } from '../../domain/order/validate.ts'
import type { Command } from '../../store/orders/command.ts'
import type { OrderMarket } from '../../store/orders/loadOrders.ts'
import type { OrderLog } from '../../store/orders/orderLog.ts'
import { applyStep } from './applyCommand.ts'

/**
 * Runs the workflow's validation step: reads the published state, applies the rule and returns the resulting head. If the seller declares
 * live availability, a catalog order only begins validation until `live` has the seller's answer. An order past validation does not change.
 */
export async function validateOrder(log: OrderLog, orderId: string, id: Command['id'], live?: LiveAvailability): Promise<Validated> {
  const step: Command = { id, wake: false, reads: 'market' }
  const asksFirst = (market: OrderMarket | undefined) => market?.asks_seller === true && live === undefined
  const { head, market } = await applyStep(log, orderId, step, (order, _now, { market: published }) => {
    if (published === undefined) throw new Error('an order is validated in its market')
    if (asksFirst(published) && order.facts.workflow === 'catalog') return beginValidation(order)
    return validate(order, live === undefined ? published : { ...published, live })
  })
  return asksFirst(market) && head.workflow === 'catalog' && head.status === 'validating' ? { ...head, asks_seller: true } : head
}

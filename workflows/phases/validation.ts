import { proxyActivities } from '@temporalio/workflow'
import type { SellerCallActivities } from '../../activities/sellerCalls.ts'
import type { Validated } from '../../src/domain/order/head.ts'
import { QUEUES } from '../messages.ts'
import { type Phase, park } from './phase.ts'

/**
 * Checks the order against the seller's current catalog. A document is read first, and a confirmed order continues to its seller. An order whose
 * status validation does not change waits for something else.
 */
export const validation: Phase = async (at) => {
  if (at.order.status === 'validating' && at.order.workflow === 'document') return at.steps.parseDocument()
  const known: Validated = at.order
  const order = known.asks_seller ? known : await at.steps.validate()
  if (order.asks_seller) return seller.validateLive(order.order_id).catch(at.steps.validateUnasked)
  if (order.last_seq !== at.order.last_seq) return order
  return park({ ...at, order }, order.due_at, 'looks again')
}

const seller = proxyActivities<Pick<SellerCallActivities, 'validateLive'>>({
  taskQueue: QUEUES.sellerAvailability,
  startToCloseTimeout: '15 s',
  heartbeatTimeout: '5 s',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
  summary: 'live availability',
})

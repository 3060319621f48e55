import { CancellationScope, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { SellerCallActivities } from '../../activities/sellerCalls.ts'
import type { OrderHead } from '../../src/domain/order/head.ts'
import { QUEUES } from '../messages.ts'
import { showOperators } from '../showOperators.ts'
import type { Phase } from './phase.ts'

/**
 * Lets the seller's own API decide (choices, Sellers' own APIs): one activity asks it until it does. Meanwhile people may decide and the
 * buyer may cancel. The Temporal UI shows the attempts, the class of the last answer and the next try. Stops when the order changes.
 */
export const pullGate: Phase = async ({ order, woken, steps }) => {
  const asking = new CancellationScope()
  let over = false
  const ended = () => {
    over = true
  }
  const asked = asking.run(() => seller.askDecision(order.order_id)).then(ended, ended)
  for (let waits: OrderHead = order; ; ) {
    await Promise.race([asked, woken.wait(waits.decide_by === null ? null : Date.parse(waits.decide_by), 'decision due')])
    waits = await steps.look()
    if (over || waits.last_seq !== order.last_seq || workflowInfo().continueAsNewSuggested) {
      asking.cancel()
      return waits
    }
    showOperators(waits)
  }
}

// The activity sets the pauses between requests; these retries only cover a worker that dies.
const seller = proxyActivities<Pick<SellerCallActivities, 'askDecision'>>({
  taskQueue: QUEUES.sellerCalls,
  startToCloseTimeout: '30 s',
  heartbeatTimeout: '5 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  summary: 'decision',
})

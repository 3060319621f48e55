import { CancellationScope, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { SellerCallActivities } from '../../activities/sellerCalls.ts'
import type { OrderHead } from '../../src/domain/order/head.ts'
import { QUEUES } from '../messages.ts'
import { showOperators } from '../showOperators.ts'
import { failureOf } from '../steps.ts'
import type { Phase } from './phase.ts'

/**
 * Lets the seller's own API decide (choices, Sellers' own APIs): an activity asks it until it does. Meanwhile people may decide and the
 * buyer may cancel. The Temporal UI shows the attempts, the class of the last answer and the next try. Stops when the order changes.
 */
export const pullGate: Phase = async ({ order, woken, steps }) => {
  const asking = new CancellationScope()
  let over = false
  const ended = () => {
    over = true
  }
  const asked = asking.run(() => untilDecided(order.order_id)).then(ended, ended)
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

/**
 * Asks until nothing is left to ask. A failed call ends its activity, so that the history shows it in red: one of each kind, since a seller that is
 * down for days would fill the history. The next activity begins with the pause and retries failures of that kind itself.
 */
async function untilDecided(orderId: string): Promise<void> {
  const shown: string[] = []
  for (let pause: number | undefined; ; ) {
    try {
      return await (pause === undefined ? seller.askDecision(orderId) : seller.askDecision(orderId, shown, pause))
    } catch (error) {
      const failure = failureOf(error)
      pause = failure?.details?.[0] as number | undefined
      if (pause === undefined) throw error
      shown.push(failure?.type ?? 'unexpected')
    }
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

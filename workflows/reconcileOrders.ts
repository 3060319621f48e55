import { type ActivityOptions, allHandlersFinished, condition, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { ReconciliationActivities } from '../activities/reconciliations.ts'
import { QUEUES } from './messages.ts'
import { showReconciling } from './showReconciling.ts'
import { openWakeSignal } from './wakeSignal.ts'

/** Runs while a seller has orders to reconcile. The database decides what is due, in which order and when again; the run only keeps time. */
export async function reconcileOrdersWorkflow(seller: string): Promise<void> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const state = await reconciling.reconcileOrders(seller)
    showReconciling(state)
    if (state.at === null && !woken.received()) break
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reconcileOrdersWorkflow>(seller)
    // The database clock may be slightly behind.
    if (state.at !== null) await woken.wait(Math.max(Date.parse(state.at), Date.now() + 1_000), 'next order')
  }
  await condition(allHandlersFinished)
}

const RECONCILING: ActivityOptions = {
  taskQueue: QUEUES.reconciling,
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '10 s',
  // Retries until it succeeds, since the work remains due.
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
  summary: 'reconcile what is due',
}
const reconciling = proxyActivities<ReconciliationActivities>(RECONCILING)

import { log as activityLog, cancellationSignal } from '@temporalio/activity'
import type { ReconcileState } from '../src/domain/settlement/reconcileState.ts'
import { type RecomputeDeps, recomputeDue } from '../src/operations/settlement/recomputeDue.ts'
import { beating } from './beating.ts'

export type ReconciliationActivities = ReturnType<typeof reconciliationActivities>

export function reconciliationActivities(deps: RecomputeDeps) {
  return {
    /** Reconciles a seller's due orders for at most a minute. Returns what is left. */
    reconcileOrders: (seller: string): Promise<ReconcileState> =>
      beating(() => {
        const onFailure = (order_id: string, error: unknown) => activityLog.error('an order cannot be reconciled', { order_id, error })
        return recomputeDue(deps, seller, { signal: cancellationSignal(), onFailure })
      }),
  }
}

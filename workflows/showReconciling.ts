import { setCurrentDetails } from '@temporalio/workflow'
import type { ReconcileState } from '../src/domain/settlement/reconcileState.ts'
import { ORDER_ATTRIBUTES } from './searchAttributes.ts'
import { moment, upsertChanged } from './showOperators.ts'

/** Shows in the Temporal UI how many orders of a seller wait for reconciliation, and whether some of them fail. */
export function showReconciling({ seller, at, waiting, failing }: ReconcileState): void {
  upsertChanged([
    { key: ORDER_ATTRIBUTES.OrderStuckReason, value: failing === 0 ? null : 'reconcile:failing' },
    ...(failing === 0 ? [] : [{ key: ORDER_ATTRIBUTES.OrderSeller, value: seller }]),
  ])
  setCurrentDetails(at === null ? 'Nothing waits.' : detailsOf(at, waiting, failing))
}

function detailsOf(at: string, waiting: number, failing: number): string {
  const lines = [`**${waiting}** ${waiting === 1 ? 'order waits' : 'orders wait'}; the next one is due at ${moment(at)}.`]
  if (failing > 0)
    lines.push(
      `**Stuck**: ${failing} of them cannot be reconciled. They are tried again automatically; the worker's log and the runbook say more.`,
    )
  return lines.join('\n\n')
}

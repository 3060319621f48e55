import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { OrderStatus } from '../src/contract/vocabulary.ts'
import { earlierBeginning } from './earlierBeginning.ts'
import { closing } from './phases/closing.ts'
import { confirmation } from './phases/confirmation.ts'
import { negotiation } from './phases/negotiation.ts'
import type { Phase } from './phases/phase.ts'
import { sellerReview } from './phases/sellerReview.ts'
import { validation } from './phases/validation.ts'
import { showOperators } from './showOperators.ts'
import { stepsOf } from './steps.ts'
import { openWakeSignal } from './wakeSignal.ts'

/**
 * Runs for the life of an order. Takes its id and no more, since the log is the record and every phase reads it again. The first step is
 * always the validation, which leaves an order as it is that is past it: a run that was lost, reset or started twice begins so too.
 */
export async function orderWorkflow(orderId: string, ...earlier: unknown[]): Promise<void> {
  const woken = openWakeSignal()
  const steps = stepsOf(orderId, woken)
  const begin = earlierBeginning(steps, earlier) ?? steps.validate
  let order = await begin()
  // Looks once more if a wake arrived after the last look began: its sender may have moved a closed order.
  while (!order.closed || woken.received()) {
    showOperators(order)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof orderWorkflow>(orderId)
    order = await PHASES[order.status]({ order, woken, steps })
  }
  showOperators(order)
  await condition(allHandlersFinished)
}

const PHASES: Record<OrderStatus, Phase> = {
  submitted: validation,
  validating: validation,
  needs_confirmation: confirmation,
  confirmed: validation,
  seller_review: sellerReview,
  negotiating: negotiation,
  placed: closing,
  canceled: closing,
  rejected: closing,
  failed: closing,
}

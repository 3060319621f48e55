import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow'
import type { OrderStatus } from '../src/contract/vocabulary.ts'
import type { Validated } from '../src/domain/order/head.ts'
import { closing } from './phases/closing.ts'
import { confirmation } from './phases/confirmation.ts'
import { negotiation } from './phases/negotiation.ts'
import type { Phase } from './phases/phase.ts'
import { sellerReview } from './phases/sellerReview.ts'
import { validation } from './phases/validation.ts'
import { ORDER_ATTRIBUTES } from './searchAttributes.ts'
import { showOperators } from './showOperators.ts'
import { stepsOf } from './steps.ts'
import { openWakeSignal } from './wakeSignal.ts'

/**
 * Runs for the life of an order. Takes an id and returns nothing, since the log is the record and every phase reads it again. `validated`
 * is the head of a new order that was validated just before the start.
 */
export async function orderWorkflow(orderId: string, validated?: Validated): Promise<void> {
  const woken = openWakeSignal()
  const steps = stepsOf(orderId, woken)
  let order = validated !== undefined && beginsAtOnce() ? validated : isNew() ? await steps.validate() : await steps.look()
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

/**
 * A hint that saves a read: a head is as good as a look if the first task follows the start, since later changes to the order send a
 * signal. A reset run has the arguments and the start of the first run, but may have lost signals, so it looks.
 */
function beginsAtOnce(): boolean {
  return Date.now() - workflowInfo().startTime.getTime() < AT_ONCE_MS
}

const AT_ONCE_MS = 10_000

/** A hint that saves a read: the order was submitted when the run was started. Validation detects any change since. */
function isNew(): boolean {
  return workflowInfo().typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStatus) === 'submitted'
}

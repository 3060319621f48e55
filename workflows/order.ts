import { allHandlersFinished, condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow'
import type { OrderStatus } from '../src/contract/vocabulary.ts'
import type { OrderHead } from '../src/domain/order/head.ts'
import type { ToldCommand } from '../src/domain/order/toldCommand.ts'
import { commandSignals } from './messages.ts'
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
export async function orderWorkflow(orderId: string): Promise<OrderEnd> {
  const woken = openWakeSignal()
  const tell = ({ seq }: ToldCommand) => woken.tell(seq)
  for (const signal of Object.values(commandSignals)) setHandler(signal, tell)
  const steps = stepsOf(orderId, woken)
  let order: OrderHead = await steps.validate()
  woken.saw(order.last_seq)
  // Looks once more if a wake arrived after the last look began: its sender may have moved a closed order.
  while (!order.closed || woken.received()) {
    showOperators(order)
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof orderWorkflow>(orderId)
    order = await PHASES[order.status]({ order, woken, steps })
    // Only now, since a phase waits with the head that it was given: what one of its steps has seen beyond that must wake it.
    woken.saw(order.last_seq)
  }
  showOperators(order)
  await condition(allHandlersFinished)
  return { status: order.status, last_seq: order.last_seq }
}

/** Where an order was when its run ended. */
type OrderEnd = Pick<OrderHead, 'status' | 'last_seq'>

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

import { patched, workflowInfo } from '@temporalio/workflow'
import type { OrderHead } from '../src/domain/order/head.ts'
import { ORDER_ATTRIBUTES } from './searchAttributes.ts'
import type { Steps } from './steps.ts'

/**
 * Returns how a run of an earlier release began, so that its history replays; undefined for any other run, which begins with the
 * validation. Earlier releases started a run with the status of its order, and the run of a new order with the head that a validation
 * before the start had left. Such a run began there if its first task followed its start.
 */
export function earlierBeginning(steps: Steps, [validated]: readonly unknown[]): (() => Promise<OrderHead>) | undefined {
  const { startTime, typedSearchAttributes } = workflowInfo()
  const status = typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStatus)
  // Asked only where the answer may be no, since the answer yes costs two events.
  if (status === undefined || status === 'submitted' || patched('validates-first')) return undefined
  const isBegunAtOnce = validated !== undefined && Date.now() - startTime.getTime() < 10_000
  return isBegunAtOnce ? async () => validated as OrderHead : steps.look
}

/**
 * Returns whether the run reacts to a command by its name, at the moment of its signal. Workers of earlier releases ignore these signals: a run
 * that was begun by one may have gone on after them.
 */
export function knowsCommands(): () => boolean {
  const isOfEarlierRelease = workflowInfo().typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStatus) !== undefined
  return () => !isOfEarlierRelease || patched('told-of-commands')
}

import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { DocumentActivities } from '../activities/documents.ts'
import type { OrderActivities } from '../activities/orders.ts'
import type { Looked, OrderHead, Validated } from '../src/domain/order/head.ts'
import { QUEUES } from './messages.ts'
import { showPassed, showStuck } from './showOperators.ts'
import type { WakeSignal } from './wakeSignal.ts'

/** The steps that a phase may take on the log. Each does what is due, once, and returns the order's head. */
export interface Steps {
  look(): Promise<OrderHead>
  validate(): Promise<Validated>
  validateUnasked(): Promise<OrderHead>
  parseDocument(): Promise<OrderHead>
  decideByRules(): Promise<OrderHead>
  lapse(): Promise<OrderHead>
  close(): Promise<OrderHead>
}

/**
 * Returns the steps of one order. A failed step is retried until it succeeds: five times within the local activity, which outlasts a
 * failover, then after growing pauses by a timer. Retries of the local activity alone would keep their workflow task open all the time, and
 * a few dozen orders that can never succeed would hold every slot of the worker.
 */
export function stepsOf(orderId: string, woken: WakeSignal): Steps {
  let seen: number | undefined
  const untilDone = async <Head extends OrderHead>(step: (orderId: string) => Promise<Head>): Promise<Head> => {
    let reason: string
    for (let failures = 1; ; failures += 1) {
      woken.clear()
      try {
        const order = await step(orderId)
        seen = order.last_seq
        showStuck(order.stuck_reason ?? null)
        return order
      } catch (error) {
        if (isCancellation(error) || isUnknownOrder(error)) throw error
        reason = reasonOf(error)
        showStuck(reason)
      }
      if (workflowInfo().continueAsNewSuggested) await continueAsNew(orderId)
      await woken.wait(Date.now() + Math.min(1_000 * 2 ** (failures - 1), longestPause(reason)), `again after ${reason}`)
    }
  }
  return {
    look: async () => {
      const { passed = [], ...order } = await untilDone<Looked>((id) => summed('look').look(id, seen))
      showPassed(passed)
      return order
    },
    validate: () => untilDone(summed('validate').validate),
    validateUnasked: () => untilDone(summed('validate by what is published').validateUnasked),
    parseDocument: () => untilDone(documents.parseDocument),
    decideByRules: () => untilDone(summed('decide by the rules').decideByRules),
    lapse: () => untilDone(summed('lapse the quote').lapse),
    close: () => untilDone(summed('close').close),
  }
}

/** The steps in the database, with what the history of a run calls them. */
const summed = (summary: string) =>
  proxyLocalActivities<OrderActivities>({
    summary,
    startToCloseTimeout: '10 s',
    retry: { initialInterval: '100 ms', backoffCoefficient: 2, maximumInterval: '10 s', maximumAttempts: 5 },
  })

/** Reads documents in a separate process and on a separate queue, so that many documents delay nothing else. */
const documents = proxyActivities<DocumentActivities>({
  taskQueue: QUEUES.documents,
  summary: 'read the document into lines',
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s', maximumAttempts: 5 },
})

/** Returns the longest pause. A database outage ends for all orders at once, so a shorter one lets every order continue soon after it. */
function longestPause(reason: string): number {
  return reason === 'database_unavailable' ? 4_000 : 30_000
}

/** Returns whether the log does not know the order, so that no later look will find it. */
function isUnknownOrder(error: unknown): boolean {
  return typeOf(error) === 'NOT_FOUND'
}

/** Returns the reason that a failed step reports to operators; `timeout` when its worker died. */
export function reasonOf(error: unknown): string {
  return typeOf(error) ?? 'timeout'
}

function typeOf(error: unknown): string | undefined {
  const failure = failureOf(error)
  return failure && (failure.type ?? 'unexpected')
}

/** Returns the failure with which a step's activity ended; undefined if it was canceled or did not end in its time. */
export function failureOf(error: unknown): ApplicationFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error
  return cause instanceof ApplicationFailure ? cause : undefined
}

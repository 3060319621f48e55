import { ApplicationFailure, activityInfo } from '@temporalio/activity'
import type { OrderHead } from '../src/domain/order/head.ts'
import { validateOrder } from '../src/operations/orders/validateOrder.ts'
import { type AskAvailabilityDeps, askAvailability } from '../src/operations/pull/askAvailability.ts'
import { type AskDecisionDeps, askDecision } from '../src/operations/pull/askDecision.ts'
import { type AskHoldDeps, tellHoldOver } from '../src/operations/pull/askHold.ts'
import { closeHold, readHoldParties } from '../src/store/orders/holds.ts'
import { requireHead } from '../src/store/orders/orderHead.ts'
import { beating } from './beating.ts'

/** Each purpose has its own permits, so that calls hanging in one delay nothing in another. */
export interface SellerCallDeps extends Omit<AskDecisionDeps, 'sellerPermits'> {
  sellerPermits: {
    decisions: AskDecisionDeps['sellerPermits']
    availability: AskAvailabilityDeps['sellerPermits']
    holds: AskHoldDeps['sellerPermits']
  }
  /** The factor by which the pauses between questions differ from the contract's; for tests. */
  pace?: number
}
export type SellerCallActivities = ReturnType<typeof sellerCallActivities>

/** Calls of sellers' own APIs. A failure's type is a word for operators: the class of the seller's last answer. */
export function sellerCallActivities({ sellerPermits, pace = 1, ...deps }: SellerCallDeps) {
  const { db, log } = deps
  return {
    /**
     * Asks a seller to decide; returns when nothing is left to ask, and otherwise fails with the answer's class, to be retried later. A
     * failed call of a kind that is not among `shown` is not retried, so that the history shows it; the detail of its failure is the pause
     * in milliseconds with which the next step is to begin.
     */
    askDecision: (orderId: string, shown: readonly string[] = [], pauseMs = 0): Promise<void> =>
      beating(async () => {
        const { attempt } = activityInfo()
        if (attempt === 1 && pauseMs > 0) throw askAgain(shown.at(-1) ?? 'will_decide_later', pauseMs)
        const asked = await askDecision({ ...deps, sellerPermits: sellerPermits.decisions }, orderId, attempt)
        if (asked === 'over') return
        const pause = asked.pause_ms * pace
        if (!asked.failed || shown.map(kindOf).includes(kindOf(asked.answer))) throw askAgain(asked.answer, pause)
        throw ApplicationFailure.create({ message: messageOf(pause), type: asked.answer, nonRetryable: true, details: [pause] })
      }),

    /**
     * Validates an order against the inventory that its seller's API reports. Returns the order's head. Fails, and is not to be retried, if
     * there is no usable answer; the type of the failure says why.
     */
    validateLive: (orderId: string): Promise<OrderHead> =>
      beating(async () => {
        const order = await log.load(orderId)
        if (order?.status !== 'validating') return requireHead(db, orderId)
        const live = await askAvailability({ ...deps, sellerPermits: sellerPermits.availability }, order)
        if (typeof live === 'string') throw ApplicationFailure.nonRetryable('the published state applies', live)
        return validateOrder(log, orderId, `order:${orderId}:live:${order.last_seq}`, live)
      }),

    /** Tells a seller's API that a hold is over. */
    tellHoldOver: (holdId: string): Promise<void> =>
      beating(async () => {
        const parties = await readHoldParties(db, holdId)
        if (parties !== undefined && !(await tellHoldOver({ ...deps, sellerPermits: sellerPermits.holds }, parties, holdId))) {
          throw ApplicationFailure.create({ message: 'the seller was not reached', type: 'unreachable' })
        }
        await closeHold(db, holdId)
      }),
  }
}

function askAgain(answer: string, pause: number): ApplicationFailure {
  return ApplicationFailure.create({ message: messageOf(pause), type: answer, nextRetryDelay: pause })
}

function messageOf(pause: number): string {
  return `asked again in ${Math.round(pause / 1_000)} s`
}

/** Returns an answer's class without what differs from call to call, such as the field of a bad answer. */
function kindOf(answer: string): string {
  return answer.split(':', 1)[0] ?? answer
}

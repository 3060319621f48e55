import { ApplicationFailure, log as activityLog } from '@temporalio/activity'
import type { Looked, OrderHead, Validated } from '../src/domain/order/head.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { closeOrder } from '../src/operations/orders/closeOrder.ts'
import { decideByRules } from '../src/operations/orders/decideByRules.ts'
import { lapseQuote } from '../src/operations/orders/lapseQuote.ts'
import { validateOrder } from '../src/operations/orders/validateOrder.ts'
import type { Database } from '../src/store/connection/database.ts'
import { isDatabaseAway } from '../src/store/connection/databaseFault.ts'
import { requireHead, statusesBetween } from '../src/store/orders/orderHead.ts'
import type { OrderLog } from '../src/store/orders/orderLog.ts'

export interface OrderActivityDeps {
  log: OrderLog
  db: Database
}
export type OrderActivities = ReturnType<typeof orderActivities>

/**
 * The order workflow's short steps in the database. Each step is idempotent: it does what is due and returns the order's head.
 * Steps fail with an ApplicationFailure whose type is a word for operators. Only a refusal is not retried.
 */
export function orderActivities({ log, db }: OrderActivityDeps) {
  return {
    /** Returns the order's head, with the statuses that it has passed since the run has seen it at `since`. */
    look: (orderId: string, since?: number): Promise<Looked> =>
      classified(async () => {
        const head = await requireHead(db, orderId)
        const isPassed = since !== undefined && head.last_seq > since + 1
        return isPassed ? { ...head, passed: await statusesBetween(db, orderId, since, head.last_seq) } : head
      }),

    /** Validates an order that is not validated yet, and sends an order that its buyer has confirmed to its seller. */
    validate: (orderId: string): Promise<Validated> =>
      classified(() => validateOrder(log, orderId, (last_seq) => commandId('validate', { order_id: orderId, last_seq }))),

    /** Validates an order by what is published, since its seller's own API has given no usable answer. */
    validateUnasked: (orderId: string): Promise<OrderHead> =>
      classified(() => validateOrder(log, orderId, (last_seq) => commandId('live', { order_id: orderId, last_seq }), [])),

    /** Has the seller's approval rules decide an order that waits for them. */
    decideByRules: (orderId: string): Promise<OrderHead> =>
      classified(async () => {
        const order = await requireHead(db, orderId)
        return order.gate_due === 'rules' ? decideByRules(log, db, order, commandId('rules', order)) : order
      }),

    /** Records that an open quote has lapsed, if one has. */
    lapse: (orderId: string): Promise<OrderHead> =>
      classified(() => lapseQuote(log, orderId, (last_seq) => commandId('lapse', { order_id: orderId, last_seq }))),

    /** Closes an order that has ended. */
    close: (orderId: string): Promise<OrderHead> => classified(() => closeOrder(log, db, orderId)),
  }
}

/** Derives the command's id, so that a step which runs twice from the same point of the log is one command. */
export function commandId(step: string, { order_id, last_seq }: Pick<OrderHead, 'order_id' | 'last_seq'>): string {
  return `order:${order_id}:${step}:${last_seq}`
}

/** Runs a step and classifies its failure. Operators read histories, so a driver's message goes to the log and only its class into them. */
export async function classified<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof ApplicationFailure) throw error
    if (error instanceof Refusal) throw ApplicationFailure.nonRetryable(`refused with ${error.code}`, error.code)
    activityLog.warn('a step of a run failed', { error })
    throw ApplicationFailure.create({
      message: 'see the log of the worker',
      type: isDatabaseAway(error) ? 'database_unavailable' : 'unexpected',
    })
  }
}

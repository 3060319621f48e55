import type { OrderState } from '../../domain/order/state.ts'
import type { Database } from '../connection/database.ts'
import type { Command, Lock } from './command.ts'
import { type CreateLocks, createLocked, type LockedCreate } from './createLocked.ts'
import { type Created, createTogether, type NewOrder } from './createOrders.ts'
import { loadTogether } from './loadOrders.ts'
import { type Appendable, type Held, type OpenOrder, openHeld, openOrder } from './openOrder.ts'
import { readReply, type StoredReply } from './storedReply.ts'

/** The append-only log of orders, which has the only SQL that writes one. */
export interface OrderLog {
  /** Creates an order in one commit with concurrent ones; one that revises another, which changes its family, alone. */
  create(order: NewOrder): Promise<Created>
  /** Creates an order that depends on others, under their locks. */
  createLocked(order: NewOrder, locks: CreateLocks, work: (create: LockedCreate) => Promise<Created>): Promise<Created>
  replyOf(buyerEntity: string, externalOrderId: string): Promise<StoredReply | undefined>
  /** Opens an order for a change. The caller closes it. Errors: Refusal NOT_FOUND. */
  open(orderId: string, lock: Lock, command?: Command): Promise<OpenOrder>
  /** Works in a transaction that holds the locks of the order and of its family from before the order is read. Commits what `work` wrote. */
  exclusively<T>(orderId: string, work: (order: Appendable, held: Held) => Promise<T>, command?: Command): Promise<T>
  /** Returns the current order, or its state after the event `atSeq`. */
  load(orderId: string, atSeq?: number): Promise<OrderState | undefined>
  /** The same log in the scope of only these tenants. */
  as(tenants: readonly string[]): OrderLog
  /** The same log, whose events belong to this trace. */
  inTrace(traceparent: string): OrderLog
}

/** Opens the log. Calls `notify` after every commit that left something in the outbox; `trace` returns the trace of an event, if any. */
export function openOrderLog(
  db: Pick<Database, 'pool' | 'as'>,
  notify: () => void,
  trace: () => string | undefined = () => undefined,
): OrderLog {
  const { pool } = db
  const opening = { pool, notify, trace }
  // Without a span of its own: that of the request covers it, and a span would take as much CPU as two hundredths of a create.
  const traced = (order: NewOrder): NewOrder => ({ ...order, traceparent: trace() ?? null })
  const notified = async (creates: Promise<Created>): Promise<Created> => {
    const outcome = await creates
    if (outcome === 'created') notify()
    return outcome
  }
  return {
    create(order) {
      const revises = order.order.request.revision?.supersedes
      if (revises === undefined) return notified(createTogether(pool, traced(order)))
      return notified(createLocked(pool, traced(order), { revises, draws_on: undefined }, (locked) => locked.create()))
    },
    createLocked: (order, locks, work) => notified(createLocked(pool, traced(order), locks, work)),
    replyOf: (buyerEntity, externalOrderId) => readReply(pool, buyerEntity, externalOrderId),
    open: (orderId, lock, command) => openOrder(opening, orderId, lock, command),
    async exclusively(orderId, work, command) {
      const order = await openHeld(opening, orderId, command)
      try {
        const result = await work(order, order.held)
        await order.commit()
        return result
      } finally {
        await order.close()
      }
    },
    load: async (orderId, atSeq) => (await loadTogether(pool, { orderId, atSeq }))?.order,
    as: (tenants) => openOrderLog(db.as(tenants), notify, trace),
    inTrace: (traceparent) => openOrderLog(db, notify, () => traceparent),
  }
}

import type { OrderEvent } from '../../contract/event.ts'
import type { Approval, GateDue } from '../../contract/vocabulary.ts'
import type { Quote } from '../../domain/lines/quote.ts'
import type { EndedQuote } from '../../domain/order/endedQuotes.ts'
import type { DatedMember } from '../../domain/order/family.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockedTransaction } from '../connection/lockedTransaction.ts'
import { dealingWith } from '../connection/sight.ts'
import { txOn } from '../connection/txOn.ts'
import { appendEvents, Moved } from './appendEvents.ts'
import type { PublishedTerms } from './counterTerms.ts'
import { createOrder } from './createOrder.ts'
import type { Created, NewOrder } from './createOrders.ts'
import { familyLock, lockMembers, readFamily } from './families.ts'
import { type Loaded, loadOrders, loadTogether, type OrderMarket } from './loadOrders.ts'
import type { Reader } from './orderReads.ts'
import { readReply, type StoredReply } from './storedReply.ts'

/** The data that one command appends. */
export interface Append {
  after: OrderState
  events: readonly OrderEvent[]
  /** New prices that the events cite, and prices that they end. */
  quotes?: readonly Quote[]
  ended?: readonly EndedQuote[]
  /** The gate to ask next; undefined keeps the row's value. */
  gate_due: GateDue | null | undefined
  /** The command's id, and the name of an exact repeat of it. */
  command: Pick<Command, 'repeatKey' | 'wake'> & { id: string }
  /** The answer as JSON text, which a repeat of the command receives. */
  outcome: string
}

/** Identifies a command. A workflow derives the id, so that a step run twice takes effect once; an API call uses a fresh one. */
export interface Command {
  /** Derived from the order's last_seq when the order is loaded: a step that already ran from there finds the order moved on. */
  id: string | ((last_seq: number) => string)
  /** The tenant that must own the order. For any other tenant the order does not exist. */
  by?: Reader
  /** Names an exact repeat (same caller, same canonical body), which receives the stored answer (choices, States). */
  repeatKey?: string
  /** Tells whether the sender of a command saw the order at this last_seq; if omitted, the command applies to any state of the order. */
  isSeen?: (last_seq: number) => boolean
  /** What is loaded with the order: the seller's published data for its lines, or the terms of counters on them. */
  reads?: 'market' | 'terms'
  /** True if the order's workflow must be woken. False if the workflow itself is the caller. */
  wake: boolean
}

/** The stored outcome of a command, and the order's last seq at that time. */
export interface StoredOutcome {
  command_id: string
  last_seq: number
  text: string
}

/** An order whose lock a command holds. */
export interface LockedOrder {
  readonly order: OrderState
  readonly head: OrderHead
  /** The length of its log in characters. */
  readonly characters: number
  /** The gate that the seller's profile currently declares. */
  readonly approval: Approval
  /** The newest stored answer for the command that the order was loaded for, or for its repeat key. */
  readonly stored: StoredOutcome | undefined
  /** Loaded for a command that reads it. */
  readonly market: OrderMarket | undefined
  readonly terms: PublishedTerms | undefined
  /** Appends to the order. Returns the head after it. */
  append(append: Append): Promise<OrderHead>
}

/** What a transaction holds in addition to its order. */
export interface Held {
  /** The transaction for everything else that becomes true with the events. */
  readonly tx: Tx
  /** Returns the order's family, locked against other placements and additions; undefined if it has none. */
  family(): Promise<DatedMember[] | undefined>
  /** Loads other members of the family for writing. Call it before the first write. */
  take(orderIds: readonly string[]): Promise<LockedOrder[]>
}

/** The append-only log of orders, which has the only SQL that writes one. */
export interface OrderLog {
  /** Creates an order in one commit with concurrent ones. */
  create(order: NewOrder): Promise<Created>
  replyOf(buyerEntity: string, externalOrderId: string): Promise<StoredReply | undefined>
  /** Works in a transaction that holds the locks of the order and of its family from before the order is read. */
  exclusively<T>(orderId: string, work: (order: LockedOrder, held: Held) => Promise<T>, command?: Command): Promise<T>
  /**
   * Works optimistically, for events that need no other write: the append takes the lock, in one statement. If the order has moved on
   * meanwhile, or is placed in a family, nothing is written and `exclusively` repeats the work.
   */
  change<T>(orderId: string, work: (order: LockedOrder, held?: Held) => Promise<T>, command?: Command): Promise<T>
  /** Returns the current order, or its state after the event `atSeq`. */
  load(orderId: string, atSeq?: number): Promise<OrderState | undefined>
  /** The same log in the sight of only these tenants. */
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
  const exclusively: OrderLog['exclusively'] = async (orderId, work, command) => {
    let woke = false
    const result = await lockedTransaction(pool, familyLock(orderId), async (client) => {
      const [loaded] = await loadOrders(client, [{ orderId, command }])
      const locked = lockedOrder(loaded)
      const parties = dealingWith(client, partiesOf(locked.order))
      const appending = (lastHash: string | undefined): Pick<LockedOrder, 'append'> => ({
        async append(events) {
          const appended = await appendEvents(parties, 'locked', events, { lastHash, trace: trace() })
          lastHash = appended.lastHash
          if (appended.woke) woke = true
          return appended.head
        },
      })
      const take: Held['take'] = async (orderIds) => {
        await lockMembers(client, orderIds)
        const members = await loadOrders(
          client,
          orderIds.map((id) => ({ orderId: id })),
        )
        return members.map((member) => ({ ...lockedOrder(member), ...appending(member?.last_hash) }))
      }
      const held: Held = { tx: txOn(parties), family: () => readFamily(client, orderId), take }
      return work({ ...locked, ...appending(loaded?.last_hash) }, held)
    })
    if (woke) notify()
    return result
  }
  return {
    async create(order) {
      // Without a span of its own: that of the request covers it, and a span would take as much CPU as two hundredths of a create.
      const outcome = await createOrder(pool, { ...order, traceparent: trace() ?? null })
      if (outcome === 'created') notify()
      return outcome
    },
    replyOf: (buyerEntity, externalOrderId) => readReply(pool, buyerEntity, externalOrderId),
    exclusively,
    async change(orderId, work, command) {
      const loaded = await loadTogether(pool, { orderId, command })
      let woke = false
      try {
        const result = await work({
          ...lockedOrder(loaded),
          async append(append) {
            const parties = dealingWith(pool, partiesOf(append.after))
            const appended = await appendEvents(parties, 'alone', append, { lastHash: loaded?.last_hash, trace: trace() })
            woke = appended.woke
            return appended.head
          },
        })
        if (woke) notify()
        return result
      } catch (error) {
        if (!(error instanceof Moved)) throw error
      }
      return exclusively(orderId, work, command)
    },
    load: async (orderId, atSeq) => (await loadTogether(pool, { orderId, atSeq }))?.order,
    as: (tenants) => openOrderLog(db.as(tenants), notify, trace),
    inTrace: (traceparent) => openOrderLog(db, notify, () => traceparent),
  }
}

/** Returns the tenants whose feeds and endpoints receive an event. */
function partiesOf({ request, facts }: OrderState): string[] {
  return [request.seller, facts.buyer_entity]
}

function lockedOrder(loaded: Loaded | undefined): Omit<LockedOrder, 'append'> {
  if (loaded === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  return loaded
}

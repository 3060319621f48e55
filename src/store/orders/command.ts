import type { OrderEvent } from '../../contract/event.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import type { GateDue } from '../../contract/vocabulary.ts'
import type { Quote } from '../../domain/lines/quote.ts'
import type { EndedQuote } from '../../domain/order/endedQuotes.ts'
import type { OrderState } from '../../domain/order/state.ts'

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
  /** `held` for a command that always writes more than one statement can; if omitted, it is tried without the lock first. */
  lock?: Lock
  /** True if the order's workflow must be woken. False if the workflow itself is the caller. */
  wake: boolean
}

/** `optimistic`: the statement that appends takes the order's lock. `held`: the lock is held from before the order is loaded. */
export type Lock = 'optimistic' | 'held'

/** The stored outcome of a command, and the order's last seq at that time. */
export interface StoredOutcome {
  command_id: string
  last_seq: number
  text: string
}

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

/** The reader of an order: a read takes the tenant and its side, never an id alone. */
export interface Reader {
  entity: string
  side: Side
}

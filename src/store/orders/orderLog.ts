import type pg from 'pg'
import type { OrderEvent } from '../../contract/event.ts'
import type { Approval, GateDue } from '../../contract/vocabulary.ts'
import type { DatedMember } from '../../domain/order/family.ts'
import { fold, type OrderFacts, type OrderRequest, type OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import { batched } from '../connection/batched.ts'
import type { Database, Tx } from '../connection/database.ts'
import { lockedTransaction } from '../connection/lockedTransaction.ts'
import { dealingWith } from '../connection/sight.ts'
import { statement } from '../connection/statement.ts'
import { txOn } from '../connection/txOn.ts'
import { appendEvents, Moved } from './appendEvents.ts'
import { hashColumn } from './auditChain.ts'
import { createOrder } from './createOrder.ts'
import type { Created, NewOrder } from './createOrders.ts'
import { familyLock, lockMembers, readFamily } from './families.ts'
import { readReply, type StoredReply } from './storedReply.ts'

/** What is appended by one command. */
export interface Append {
  after: OrderState
  events: readonly OrderEvent[]
  /** The gate that is asked next; undefined leaves what the row says. */
  gate_due: GateDue | null | undefined
  command: Command
  /** JSON text of the answer: a repeat of the command is answered with it. */
  outcome: string
}

/** Which command this is. A workflow's id is derived, so that a step run twice is done once; an API call's is fresh. */
export interface Command {
  id: string
  /** Names an exact repeat (same caller, same canonical body), whose answer is the stored one (choices, States). */
  repeatKey?: string
  /** Whether the sender of a command saw the order at this last_seq; without it the command applies to any state of the order. */
  isSeen?: (last_seq: number) => boolean
  /** True if the order's workflow must be woken. False if the workflow itself is the caller. */
  wake: boolean
}

/** The stored outcome of a command, and the order's last seq at that time. */
export interface StoredOutcome {
  command_id: string
  last_seq: number
  text: string
}

/** An order that a command holds the lock of. */
export interface LockedOrder {
  readonly order: OrderState
  /** Characters of its log. */
  readonly characters: number
  /** The gate that the seller's profile of this moment declares. */
  readonly approval: Approval
  /** The newest answer that was stored for this command or its repeat key. */
  outcomeOf(command: Command): Promise<StoredOutcome | undefined>
  append(append: Append): Promise<void>
}

/** What a transaction holds in addition to its order. */
export interface Held {
  /** Writes what else becomes true with the events. */
  readonly tx: Tx
  /** Returns the order's family, locked against other placements and additions; undefined if it has none. */
  family(): Promise<DatedMember[] | undefined>
  /** Loads other members of the family for writing. Call it before the first write. */
  take(orderIds: readonly string[]): Promise<LockedOrder[]>
}

/** The append-only log of orders: the only SQL that writes one. */
export interface OrderLog {
  /** With others that come at the same time, in one commit. */
  create(order: NewOrder): Promise<Created>
  replyOf(buyerEntity: string, externalOrderId: string): Promise<StoredReply | undefined>
  /** Works in a transaction, with the locks of the order and of its family held from before the order is read. */
  exclusively<T>(orderId: string, work: (order: LockedOrder, held: Held) => Promise<T>): Promise<T>
  /**
   * The optimistic variant for events that need no other write: the append takes the lock, in one statement. If the order has moved on
   * meanwhile, or is placed in a family, nothing is written and the work is repeated by `exclusively`.
   */
  change<T>(orderId: string, work: (order: LockedOrder, held?: Held) => Promise<T>): Promise<T>
  /** Returns the current order, or its state after the event `atSeq`. */
  load(orderId: string, atSeq?: number): Promise<OrderState | undefined>
  /** The same log in the sight of these tenants alone. */
  as(tenants: readonly string[]): OrderLog
}

/** `notify` is called after every commit that left something in the outbox. */
export function openOrderLog({ pool, as }: Pick<Database, 'pool' | 'as'>, notify: () => void): OrderLog {
  const exclusively: OrderLog['exclusively'] = async (orderId, work) => {
    let woke = false
    const result = await lockedTransaction(pool, familyLock(orderId), async (client) => {
      const [loaded] = await load(client, [{ orderId }])
      const locked = lockedOrder(client, orderId, loaded)
      const parties = dealingWith(client, partiesOf(locked.order))
      const appending = (lastHash: string | undefined): Pick<LockedOrder, 'append'> => ({
        async append(events) {
          const appended = await appendEvents(parties, 'locked', events, lastHash)
          lastHash = appended.lastHash
          if (appended.woke) woke = true
        },
      })
      const take: Held['take'] = async (orderIds) => {
        await lockMembers(client, orderIds)
        const asks = orderIds.map((id) => ({ orderId: id }))
        const members = await load(client, asks)
        return asks.map((ask, index) => ({ ...lockedOrder(client, ask.orderId, members[index]), ...appending(members[index]?.last_hash) }))
      }
      const held: Held = { tx: txOn(parties), family: () => readFamily(client, orderId), take }
      return work({ ...locked, ...appending(loaded?.last_hash) }, held)
    })
    if (woke) notify()
    return result
  }
  return {
    async create(order) {
      const outcome = await createOrder(pool, order)
      if (outcome === 'created') notify()
      return outcome
    },
    replyOf: (buyerEntity, externalOrderId) => readReply(pool, buyerEntity, externalOrderId),
    exclusively,
    async change(orderId, work) {
      const loaded = await loadTogether(pool, { orderId })
      let woke = false
      try {
        const result = await work({
          ...lockedOrder(pool, orderId, loaded),
          async append(append) {
            const parties = dealingWith(pool, partiesOf(append.after))
            woke = (await appendEvents(parties, 'alone', append, loaded?.last_hash)).woke
          },
        })
        if (woke) notify()
        return result
      } catch (error) {
        if (!(error instanceof Moved)) throw error
      }
      return exclusively(orderId, work)
    },
    load: async (orderId, atSeq) => (await loadTogether(pool, { orderId, atSeq }))?.order,
    as: (tenants) => openOrderLog(as(tenants), notify),
  }
}

/** Whose feeds an event goes to, and whose endpoints. */
function partiesOf({ request, facts }: OrderState): string[] {
  return [request.seller, facts.buyer_entity]
}

interface Loaded {
  order: OrderState
  characters: number
  commands: ReadonlySet<string>
  approval: Approval
  /** Of the order's newest event, in hex. */
  last_hash: string
}

interface LoadAsk {
  orderId: string
  atSeq?: number | undefined
}

interface LoadRow {
  request: string
  facts: string
  in_force_from: string | null
  events: string
  commands: string[]
  approval: Approval
  last_hash: string
}

async function load(on: pg.Pool | pg.PoolClient, asks: readonly LoadAsk[]): Promise<(Loaded | undefined)[]> {
  const { rows } = await on.query<LoadRow & { ask: string }>(
    LOAD.bind({ order_ids: asks.map(({ orderId }) => orderId), at_seqs: asks.map(({ atSeq }) => atSeq ?? null) }),
  )
  const answers = new Map(rows.map((row) => [Number(row.ask), loadedFrom(row)]))
  return asks.map((_, index) => answers.get(index + 1))
}

const loadTogether = batched<LoadAsk, Loaded | undefined>(load)

function loadedFrom({ request, facts, in_force_from, events, commands, approval, last_hash }: LoadRow): Loaded {
  const asked: OrderRequest = JSON.parse(request)
  const known: OrderFacts = { ...JSON.parse(facts), ...(in_force_from === null ? {} : { in_force_from }) }
  const happened: OrderEvent[] = JSON.parse(events)
  return { order: fold(asked, known, happened), characters: events.length, commands: new Set(commands), approval, last_hash }
}

function lockedOrder(on: pg.Pool | pg.PoolClient, orderId: string, loaded: Loaded | undefined): Omit<LockedOrder, 'append'> {
  if (loaded === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  return {
    order: loaded.order,
    characters: loaded.characters,
    approval: loaded.approval,
    async outcomeOf({ id, repeatKey }) {
      if (repeatKey === undefined && !loaded.commands.has(id)) return undefined
      const { rows } = await on.query<StoredOutcome>(OUTCOME.bind({ order_id: orderId, command_id: id, repeat_key: repeatKey ?? null }))
      return rows[0]
    },
  }
}

/**
 * What orders are folded from: a row for each that exists, with the place of its ask. Fenced: a join, in a plan made while the table was empty, would
 * walk all records.
 */
const LOAD = statement(
  'load-orders',
  ['order_ids', 'at_seqs'],
  `select ask, own.* from unnest(:order_ids::text[], :at_seqs::int[]) with ordinality as asked (id, at_seq, ask)
    cross join lateral (select r.request, r.facts,
        (select in_force_from::text from earlier_in_force e where e.order_id = r.order_id),
        (select '[' || coalesce(string_agg(body, ',' order by seq), '') || ']' from order_events e
          where e.order_id = r.order_id and (asked.at_seq is null or seq <= asked.at_seq)) as events,
        array(select distinct command_id from order_events e where e.order_id = r.order_id) as commands,
        (select ${hashColumn('e')} from order_events e where e.order_id = r.order_id order by seq desc limit 1) as last_hash,
        (select profile->>'approval' from sellers where seller = (select seller from orders o where o.order_id = r.order_id)) as approval
      from order_records r where r.order_id = asked.id offset 0) own`,
)

/** The newest answer that was stored for a command or its repeat key. */
const OUTCOME = statement(
  'stored-outcome',
  ['order_id', 'command_id', 'repeat_key'],
  `select command_id, last_seq, outcome as text from order_outcomes
    where order_id = :order_id and (command_id = :command_id or repeat_key = :repeat_key) order by last_seq desc limit 1`,
)

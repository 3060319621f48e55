import type pg from 'pg'
import type { OrderEvent } from '../../contract/event.ts'
import type { Approval } from '../../contract/vocabulary.ts'
import type { DatedMember } from '../../domain/order/family.ts'
import { fold, type OrderFacts, type OrderRequest, type OrderState } from '../../domain/order/state.ts'
import { Refusal } from '../../domain/refusal.ts'
import { batched } from '../connection/batched.ts'
import type { Database, Tx } from '../connection/database.ts'
import { LOCK, lockedTransaction } from '../connection/lockedTransaction.ts'
import { dealingWith } from '../connection/sight.ts'
import { txOn } from '../connection/txOn.ts'
import { queueOrderEvents } from '../delivery/deliveries.ts'
import { chained, hashColumn } from './auditChain.ts'
import { createOrder } from './createOrder.ts'
import type { Created, NewOrder } from './createOrders.ts'
import { familyLock, lockMembers, readFamily } from './families.ts'
import { renderSnapshot } from './renderSnapshot.ts'
import { readReply, type StoredReply } from './storedReply.ts'

/** What is appended by one command. */
export interface Append {
  after: OrderState
  events: readonly OrderEvent[]
  command: Command
  /** JSON text of the answer: a repeat of the command is answered with it. */
  outcome: string
}

/** Which command this is. A workflow's id is derived, so that a step run twice is done once; an API call's is fresh. */
export interface Command {
  id: string
  /** Names an exact repeat (same caller, same canonical body), whose answer is the stored one (choices, States). */
  repeatKey?: string
  /** Whether a last_seq is one at which its sender saw the order; without it the command is meant for whatever state the order is in. */
  isSeen?: (last_seq: number) => boolean
  /** Whether the order's workflow must be told: not when it is the one that asks. */
  wake: boolean
}

/** What a command was answered, and where the order stood then. */
export interface StoredOutcome {
  command_id: string
  last_seq: number
  text: string
}

/** The hands of a command on its order. */
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

/** What a transaction holds beside its order. */
export interface Held {
  /** Writes what else becomes true with the events. */
  readonly tx: Tx
  /** The order's family, which nobody else places an order in or adds one to; undefined when it has none. */
  family(): Promise<DatedMember[] | undefined>
  /** Takes other members of the family in hand, before anything is written. */
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
   * The same for events that stand alone, hoping that nobody else is at the order: the lock is taken by the append, in one statement. When the
   * order has moved on meanwhile, or is placed in a family, nothing is written and the work is done again, exclusively.
   */
  change<T>(orderId: string, work: (order: LockedOrder, held?: Held) => Promise<T>): Promise<T>
  /** The order as it stands, or as it stood after an event. */
  load(orderId: string, atSeq?: number): Promise<OrderState | undefined>
  /** The same log in the sight of these tenants alone. */
  as(tenants: readonly string[]): OrderLog
}

/** `ring` is called after every commit that left something in the outbox. */
export function openOrderLog({ pool, as }: Pick<Database, 'pool' | 'as'>, ring: () => void): OrderLog {
  const exclusively: OrderLog['exclusively'] = async (orderId, work) => {
    let woke = false
    const result = await lockedTransaction(pool, familyLock(orderId), async (client) => {
      const [loaded] = await load(client, [{ orderId }])
      const hands = handsOn(client, orderId, loaded)
      const parties = dealingWith(client, partiesOf(hands.order))
      const appending = (lastHash: string | undefined): Pick<LockedOrder, 'append'> => ({
        async append(events) {
          const appended = await appendOn(parties, APPEND, events, lastHash)
          lastHash = appended.lastHash
          if (appended.woke) woke = true
        },
      })
      const take: Held['take'] = async (orderIds) => {
        await lockMembers(client, orderIds)
        const asks = orderIds.map((id) => ({ orderId: id }))
        const members = await load(client, asks)
        return asks.map((ask, index) => ({ ...handsOn(client, ask.orderId, members[index]), ...appending(members[index]?.last_hash) }))
      }
      const held: Held = { tx: txOn(parties), family: () => readFamily(client, orderId), take }
      return work({ ...hands, ...appending(loaded?.last_hash) }, held)
    })
    if (woke) ring()
    return result
  }
  return {
    async create(order) {
      const outcome = await createOrder(pool, order)
      if (outcome === 'created') ring()
      return outcome
    },
    replyOf: (buyerEntity, externalOrderId) => readReply(pool, buyerEntity, externalOrderId),
    exclusively,
    async change(orderId, work) {
      const loaded = await loadTogether(pool, { orderId })
      let woke = false
      try {
        const result = await work({
          ...handsOn(pool, orderId, loaded),
          async append(append) {
            const parties = dealingWith(pool, partiesOf(append.after))
            woke = (await appendOn(parties, APPEND_ALONE, append, loaded?.last_hash)).woke
          },
        })
        if (woke) ring()
        return result
      } catch (error) {
        if (!(error instanceof Moved)) throw error
      }
      return exclusively(orderId, work)
    },
    load: async (orderId, atSeq) => (await loadTogether(pool, { orderId, atSeq }))?.order,
    as: (tenants) => openOrderLog(as(tenants), ring),
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

type LoadRow = { request: string; facts: string; events: string; commands: string[]; approval: Approval; last_hash: string }

async function load(on: pg.Pool | pg.PoolClient, asks: readonly LoadAsk[]): Promise<(Loaded | undefined)[]> {
  const values = [asks.map(({ orderId }) => orderId), asks.map(({ atSeq }) => atSeq ?? null)]
  const { rows } = await on.query<LoadRow & { ask: string }>({ ...LOAD, values })
  const answers = new Map(rows.map((row) => [Number(row.ask), loadedFrom(row)]))
  return asks.map((_, index) => answers.get(index + 1))
}

const loadTogether = batched<LoadAsk, Loaded | undefined>(load)

function loadedFrom({ request, facts, events, commands, approval, last_hash }: LoadRow): Loaded {
  const asked: OrderRequest = JSON.parse(request)
  const known: OrderFacts = JSON.parse(facts)
  const happened: OrderEvent[] = JSON.parse(events)
  return { order: fold(asked, known, happened), characters: events.length, commands: new Set(commands), approval, last_hash }
}

function handsOn(on: pg.Pool | pg.PoolClient, orderId: string, loaded: Loaded | undefined): Omit<LockedOrder, 'append'> {
  if (loaded === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
  return {
    order: loaded.order,
    characters: loaded.characters,
    approval: loaded.approval,
    async outcomeOf({ id, repeatKey }) {
      if (repeatKey === undefined && !loaded.commands.has(id)) return undefined
      const { rows } = await on.query<StoredOutcome>({ ...OUTCOME, values: [orderId, id, repeatKey ?? null] })
      return rows[0]
    },
  }
}

/** `woke` says whether the relay has something to carry. */
async function appendOn(on: pg.Pool | pg.PoolClient, statement: typeof APPEND, append: Append, lastHash = '') {
  const events = chained(lastHash, append.events)
  const { rows } = await on.query<{ queued: number }>({ ...statement, values: appendValues(append, events) }).catch((error) => {
    throw statement === APPEND_ALONE && error.code === DIVISION_BY_ZERO ? new Moved() : error
  })
  return { woke: append.command.wake || (rows[0]?.queued ?? 0) > 0, lastHash: events.at(-1)?.hash ?? lastHash }
}

/** The order is not where it was read, or its family must be locked. */
class Moved extends Error {}

function appendValues({ after, command, outcome }: Append, events: ReturnType<typeof chained<OrderEvent>>): unknown[] {
  const { snapshot_head, snapshot_lines, parked_since, decide_by, due_at, gross } = renderSnapshot(after)
  const head = [after.facts.order_id, after.status, after.substatus, after.last_seq, after.updated_at, parked_since, decide_by, due_at]
  const columns = [
    events.map(({ event }) => event.seq),
    events.map(({ event }) => event.occurred_at),
    events.map(({ event }) => event.status),
    events.map(({ body }) => body),
  ]
  const stored = [command.repeatKey ?? null, outcome, command.wake]
  const hashes = events.map(({ hash }) => hash)
  return [...head, snapshot_head, snapshot_lines, command.id, ...columns, ...stored, after.last_seq - events.length, gross, hashes]
}

const LOAD = {
  name: 'load-orders',
  text: `select ask, own.* from unnest($1::text[], $2::int[]) with ordinality as asked (id, at_seq, ask)
    cross join lateral (select r.request, r.facts,
        (select '[' || coalesce(string_agg(body, ',' order by seq), '') || ']' from order_events e
          where e.order_id = r.order_id and (asked.at_seq is null or seq <= asked.at_seq)) as events,
        array(select distinct command_id from order_events e where e.order_id = r.order_id) as commands,
        (select ${hashColumn('e')} from order_events e where e.order_id = r.order_id order by seq desc limit 1) as last_hash,
        (select profile->>'approval' from sellers where seller = (select seller from orders o where o.order_id = r.order_id)) as approval
      from order_records r where r.order_id = asked.id offset 0) own`,
}

const OUTCOME = {
  name: 'stored-outcome',
  text: `select command_id, last_seq, outcome as text from order_outcomes
    where order_id = $1 and (command_id = $2 or repeat_key = $3) order by last_seq desc limit 1`,
}

/** Which gate the workflow asks before people do, as the profile has it when the order comes to its seller; it is no part of the record. */
const GATE_DUE = `case when $2 <> 'seller_review' then null when $3 = 'awaiting_remote_decision' then 'pull' when status = 'seller_review' then gate_due
  else (select 'rules' from sellers s where s.seller = orders.seller and s.profile->>'approval' = 'rules') end`

/** Events, head, snapshot text, feed rows, outcome and outbox row: one statement. The head must still stand where the fold began. */
const appendStatement = (name: string, lock: string, from: string, allowed: string) => ({
  name,
  text: `with ${lock} head as (
      update orders set status = $2, substatus = $3, last_seq = $4, updated_at = $5, parked_since = $6, decide_by = $7, due_at = $8,
        settled = false, stuck_reason = null, gate_due = ${GATE_DUE}, snapshot_head = $9, snapshot_lines = $10, gross = $20,
        placed_at = case when $2 = 'placed' then $5 else placed_at end
      ${from} where order_id = $1 and last_seq = $19 ${allowed} returning order_id, seller, buyer_entity, notify_endpoint
    ), drafts as (
      select * from unnest($12::int[], $13::timestamptz[], $14::text[], $15::text[], $21::text[]) with ordinality
        as draft (seq, occurred_at, status, body, hash, ordinal)
    ), events as (
      insert into order_events (order_id, seq, command_id, ordinal, occurred_at, body, hash)
      select order_id, seq, $11, ordinal - 1, occurred_at, body, decode(hash, 'hex') from head, drafts
    ), feed_rows as (
      insert into feed (tenant, event_type, status, order_id, seq)
      select tenant, 'order.status_changed', status, order_id, seq from head, drafts, unnest(array[buyer_entity, seller]) as tenant order by seq
    ), outcomes as (
      insert into order_outcomes (order_id, command_id, repeat_key, last_seq, outcome) select order_id, $11, $16, $4, $17 from head
    ), woken as (
      insert into outbox (kind, target) select 'order', order_id from head where $18
    ), ${queueOrderEvents('select order_id, seq, status, buyer_entity, seller, notify_endpoint from head, drafts')}
    select 1 / count(*) as appended, (select count(*)::int from queued) as queued from head`,
})

const APPEND = appendStatement('append-events', '', '', '')

/**
 * Its own transaction, with the order's lock first: the head is joined to it, and before the head is written nothing is. So no transaction id is
 * taken before the lock is held (architecture, Lock first). Nothing is placed in a family by it: that ends other members. An order that gets
 * its first revision while the statement waits has its `root` by then, which the update sees.
 */
const APPEND_ALONE = appendStatement(
  'append-events-alone',
  `locked as materialized (${LOCK.text}),`,
  'from locked',
  `and ($2 <> 'placed' or root is null)`,
)

const DIVISION_BY_ZERO = '22012'

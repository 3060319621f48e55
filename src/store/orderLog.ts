import type pg from 'pg'
import type { OrderEvent } from '../contract/event.ts'
import { type OnCredit, refuseBeyondCredit } from '../domain/agreement/settlement.ts'
import type { Quote } from '../domain/lines/quote.ts'
import { fold, type OrderFacts, type OrderRequest, type OrderState } from '../domain/order/state.ts'
import { Refusal } from '../domain/refusal.ts'
import { uploadsOf } from '../domain/uploads/checkAttachments.ts'
import { readExposure } from './agreements.ts'
import type { Database } from './database.ts'
import { publishQuotes, type QuotedFor } from './quotes.ts'
import { renderSnapshot } from './renderSnapshot.ts'

/** What a create stores: the record, its first event, and the reply as it will be replayed. */
export interface NewOrder {
  order: OrderState
  event: OrderEvent
  commandId: string
  requestSha256: Buffer
  reply: string
  /** The credit cap that the order draws on: CREDIT_LIMIT when it does not bear it. */
  credit?: OnCredit
}

export interface StoredReply {
  order_id: string
  request_sha256: Buffer
  reply: string
}

/** What is appended by one command. */
export interface Append {
  after: OrderState
  events: readonly OrderEvent[]
  command: Command
  /** JSON text of the answer: a repeat of the command is answered with it. */
  outcome: string
  /** Prices that the events cite: published in the same transaction, before them. */
  quotes?: readonly Quote[]
}

/** Which command this is. A workflow's id is derived, so that a step run twice is done once; an API call's is fresh. */
export interface Command {
  id: string
  /** Names an exact repeat (same caller, same canonical body), whose answer is the stored one (choices, States). */
  repeatKey?: string
  /** Whether the order's workflow must be told: not when it is the one that asks. */
  wake: boolean
}

/** What a command was answered, and where the order stood then. */
export interface StoredOutcome {
  command_id: string
  last_seq: number
  text: string
}

/** The hands of `applyCommand` inside its transaction, with the order's lock held. */
export interface LockedOrder {
  readonly order: OrderState
  /** The newest answer that was stored for this command or its repeat key. */
  outcomeOf(command: Command): Promise<StoredOutcome | undefined>
  append(append: Append): Promise<void>
}

/** The append-only log of orders: the only SQL that writes one. */
export interface OrderLog {
  /** `taken`: another order has the key. `unpinned`: an upload that it names has lapsed since it was looked at. Then nothing is written. */
  create(order: NewOrder): Promise<'created' | 'taken' | 'unpinned'>
  replyOf(buyerEntity: string, externalOrderId: string): Promise<StoredReply | undefined>
  exclusively<T>(orderId: string, work: (locked: LockedOrder) => Promise<T>): Promise<T>
  /** The order as it stands, or as it stood after an event. */
  load(orderId: string, atSeq?: number): Promise<OrderState | undefined>
}

/** `ring` is called after every commit that left something in the outbox. */
export function openOrderLog({ pool }: Pick<Database, 'pool'>, ring: () => void): OrderLog {
  return {
    async create(created) {
      const { credit } = created
      const insert = (on: pg.Pool | pg.PoolClient) => on.query({ ...CREATE, values: createValues(created) })
      // Creates under one cap follow each other: each sees what the one before has drawn.
      const inserted =
        credit === undefined
          ? insert(pool)
          : inTransaction(pool, `agreement:${credit.agreement_id}`, async (client) => {
              // A twin may have drawn it in the meantime: that is a replay, and no second draw.
              const twin = await client.query({
                ...REPLY,
                values: [created.order.facts.buyer_entity, created.order.request.external_order_id],
              })
              if (twin.rowCount !== 0) return { rowCount: 0 }
              refuseBeyondCredit(credit, await readExposure(client, credit.agreement_id))
              return insert(client)
            })
      const rowCount = await inserted.then((result) => result.rowCount, undefinedWhenUnpinned)
      if (rowCount === undefined) return 'unpinned'
      if (rowCount === 0) return 'taken'
      ring()
      return 'created'
    },
    async replyOf(buyerEntity, externalOrderId) {
      const { rows } = await pool.query<StoredReply>({ ...REPLY, values: [buyerEntity, externalOrderId] })
      return rows[0]
    },
    async exclusively(orderId, work) {
      let woke = false
      const result = await inTransaction(pool, orderId, async (client) => {
        const loaded = await load(client, orderId)
        if (loaded === undefined) throw new Refusal('NOT_FOUND', 'There is no such order.')
        return work({
          order: loaded.order,
          async outcomeOf({ id, repeatKey }) {
            if (repeatKey === undefined && !loaded.commands.has(id)) return undefined
            const { rows } = await client.query<StoredOutcome>({ ...OUTCOME, values: [orderId, id, repeatKey ?? null] })
            return rows[0]
          },
          async append(append) {
            const { quotes, after } = append
            if (quotes !== undefined) await publishQuotes(client, quotedFor(after), quotes)
            await client.query({ ...APPEND, values: appendValues(append) })
            woke ||= append.command.wake
          },
        })
      })
      if (woke) ring()
      return result
    },
    load: async (orderId, atSeq) => (await load(pool, orderId, atSeq))?.order,
  }
}

/**
 * The lock comes first: it takes no transaction id, so that the order of the feed, by transaction id, cannot invert an order's own seq
 * (laws of the log).
 */
async function inTransaction<T>(pool: pg.Pool, locked: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    await client.query({ ...LOCK, values: [locked] })
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((lost: Error) => {
      broken = lost
    })
    throw error
  } finally {
    client.release(broken)
  }
}

async function load(
  client: pg.Pool | pg.PoolClient,
  orderId: string,
  atSeq?: number,
): Promise<{ order: OrderState; commands: Set<string> } | undefined> {
  const { rows } = await client.query<{ request: string; facts: string; events: string[]; commands: string[] }>({
    ...LOAD,
    values: [orderId, atSeq ?? null],
  })
  const [row] = rows
  if (row === undefined) return undefined
  const request: OrderRequest = JSON.parse(row.request)
  const facts: OrderFacts = JSON.parse(row.facts)
  const events: OrderEvent[] = row.events.map((body) => JSON.parse(body))
  return { order: fold(request, facts, events), commands: new Set(row.commands) }
}

function createValues({ order, event, commandId, requestSha256, reply }: NewOrder): unknown[] {
  const { facts, request } = order
  const { snapshot_head, snapshot_lines, due_at, gross } = renderSnapshot(order)
  const head = [facts.order_id, request.seller, facts.buyer_entity, request.external_order_id, facts.workflow, order.status, event.seq]
  const record = [requestSha256, JSON.stringify(request), JSON.stringify(facts), reply]
  const texts = [snapshot_head, snapshot_lines, ...record, commandId, JSON.stringify(event)]
  return [
    ...head,
    facts.created_at,
    event.occurred_at,
    due_at,
    ...texts,
    request.agreement_id ?? null,
    gross,
    request.revision?.supersedes ?? null,
    uploadsOf(request),
  ]
}

function quotedFor({ request, facts }: OrderState): QuotedFor {
  return { seller: request.seller, buyer_entity: facts.buyer_entity, order_id: facts.order_id }
}

function appendValues({ after, events, command, outcome }: Append): unknown[] {
  const { snapshot_head, snapshot_lines, parked_since, decide_by, due_at, gross } = renderSnapshot(after)
  const head = [after.facts.order_id, after.status, after.substatus, after.last_seq, after.updated_at, parked_since, decide_by, due_at]
  const columns = [
    events.map(({ seq }) => seq),
    events.map(({ occurred_at }) => occurred_at),
    events.map(({ status }) => status),
    events.map((event) => JSON.stringify(event)),
  ]
  const stored = [command.repeatKey ?? null, outcome, command.wake]
  return [...head, snapshot_head, snapshot_lines, command.id, ...columns, ...stored, after.last_seq - events.length, gross]
}

const LOCK = { name: 'lock-order', text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))' }

const LOAD = {
  name: 'load-order',
  text: `select r.request, r.facts,
    array(select body from order_events e where e.order_id = r.order_id and ($2::int is null or seq <= $2) order by seq) as events,
    array(select distinct command_id from order_events e where e.order_id = r.order_id) as commands
  from order_records r where r.order_id = $1`,
}

const REPLY = {
  name: 'stored-reply',
  // Not a join: on tables that were never analyzed it would walk all orders of the buyer.
  text: `select order_id, request_sha256, reply from order_records
    where order_id = (select order_id from orders where buyer_entity = $1 and external_order_id = $2)`,
}

const OUTCOME = {
  name: 'stored-outcome',
  text: `select command_id, last_seq, outcome as text from order_outcomes
    where order_id = $1 and (command_id = $2 or repeat_key = $3) order by last_seq desc limit 1`,
}

/** Order, record, seq 1, feed rows, outbox row and pinned uploads in one commit; a concurrent twin waits on the unique key and then inserts nothing at all. */
const CREATE = {
  name: 'create-order',
  text: `with head as (
      insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, due_at, snapshot_head, snapshot_lines, agreement_id, gross, supersedes)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $19, $20, $21)
      on conflict (buyer_entity, external_order_id) do nothing returning order_id
    ), record as (
      insert into order_records (order_id, request_sha256, request, facts, reply) select order_id, $13, $14, $15, $16 from head
    ), event as (
      insert into order_events (order_id, seq, command_id, ordinal, occurred_at, body) select order_id, $7, $17, 0, $9, $18 from head
    ), feed_rows as (
      insert into feed (tenant, event_type, status, order_id, seq)
      select tenant, 'order.status_changed', $6, order_id, $7 from head, unnest(array[$3, $2]) as tenant
    ), woken as (
      insert into outbox (kind, target) select 'order', order_id from head
    ), pinned as (
      update uploads set pinned = true from head
      where upload_id = any($22::text[]) and uploads.buyer_entity = $3 and uploads.status = 'uploaded' returning upload_id, order_id
    ), attached as (
      insert into order_uploads (order_id, upload_id) select order_id, upload_id from pinned
    )
    select order_id, 1 / (case (select count(*) from pinned) when cardinality($22::text[]) then 1 else 0 end) as pinned from head`,
}

/** How CREATE says that not every upload could be pinned: so that nothing at all is written. */
const DIVISION_BY_ZERO = '22012'

function undefinedWhenUnpinned(error: unknown): undefined {
  if ((error as { code?: unknown }).code !== DIVISION_BY_ZERO) throw error
  return undefined
}

/** Events, head, snapshot text, feed rows, outcome and outbox row: one statement. The head must still stand where the fold began. */
const APPEND = {
  name: 'append-events',
  text: `with head as (
      update orders set status = $2, substatus = $3, last_seq = $4, updated_at = $5, parked_since = $6, decide_by = $7, due_at = $8,
        settled = false, snapshot_head = $9, snapshot_lines = $10, gross = $20
      where order_id = $1 and last_seq = $19 returning order_id, seller, buyer_entity
    ), drafts as (
      select * from unnest($12::int[], $13::timestamptz[], $14::text[], $15::text[]) with ordinality as draft (seq, occurred_at, status, body, ordinal)
    ), events as (
      insert into order_events (order_id, seq, command_id, ordinal, occurred_at, body)
      select order_id, seq, $11, ordinal - 1, occurred_at, body from head, drafts
    ), feed_rows as (
      insert into feed (tenant, event_type, status, order_id, seq)
      select tenant, 'order.status_changed', status, order_id, seq from head, drafts, unnest(array[buyer_entity, seller]) as tenant order by seq
    ), outcomes as (
      insert into order_outcomes (order_id, command_id, repeat_key, last_seq, outcome) select order_id, $11, $16, $4, $17 from head
    ), woken as (
      insert into outbox (kind, target) select 'order', order_id from head where $18
    )
    select 1 / count(*) as appended from head`,
}

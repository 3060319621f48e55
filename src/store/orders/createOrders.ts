import type pg from 'pg'
import type { OrderEvent } from '../../contract/event.ts'
import { holdsOf } from '../../domain/holds/checkCitedHolds.ts'
import type { OrderState } from '../../domain/order/state.ts'
import { uploadsOf } from '../../domain/uploads/checkAttachments.ts'
import { LOG_APPENDS, LOG_GROUPS } from '../../metrics/log.ts'
import { batched } from '../connection/batched.ts'
import { arraysOf, JSON_TEXT, namesOf, valuesOf } from '../connection/columns.ts'
import { isOrderOutdated } from '../connection/databaseFault.ts'
import { statement } from '../connection/statement.ts'
import { creatingOrders } from '../connection/tenantScope.ts'
import { queueOrderEvents } from '../delivery/deliveries.ts'
import { eventHash, recordHash } from './auditChain.ts'
import { renderFirst } from './renderSnapshot.ts'

/** The parts of an order that a create stores: the record, its first event, and the reply as it will be replayed. */
export interface NewOrder {
  order: OrderState
  event: OrderEvent
  commandId: string
  requestSha256: Buffer
  reply: string
  /** The trace that the create belongs to. */
  traceparent?: string | null
}

/** `taken`: another order has the key. `outdated`: what it names has changed since it was read. In both cases nothing is written. */
export type Created = 'created' | 'taken' | 'outdated'

/** Creates orders in one statement and one commit, and returns an outcome for each. One `outdated` fails them all: retry one by one. */
export async function createOrders(on: pg.Pool | pg.PoolClient, orders: readonly NewOrder[]): Promise<Created[]> {
  // Sorted by key, so that of two commits with the same keys one waits for the other, and they never deadlock.
  const sorted = orders.length === 1 ? orders : [...orders].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  try {
    const parties = orders.flatMap(({ order }) => [order.request.seller, order.facts.buyer_entity])
    const ids = orders.map(({ order }) => order.facts.order_id)
    const appended = LOG_APPENDS.startTimer({ what: 'creates' })
    const { rows } = await creatingOrders(on, ids, parties).query<{ order_id: string }>(createOf(sorted))
    appended()
    LOG_GROUPS.observe(orders.length)
    const created = new Set(rows.map(({ order_id }) => order_id))
    return orders.map(({ order }) => (created.has(order.facts.order_id) ? 'created' : 'taken'))
  } catch (error) {
    if (orders.length === 1 && isOrderOutdated(error)) return ['outdated']
    throw error
  }
}

/** Creates are grouped while commits are quick, since a larger group costs less an order: policies, plans and commits once for all. */
export const createTogether = batched<NewOrder, Created>(createOrders, { max: 64, inFlight: 4, aloneMs: 10 }, sizeOf)

/** The characters of a line in the record, the snapshot and the event together, about. */
const LINE_CHARACTERS = 2_000

function sizeOf({ order, reply }: NewOrder): number {
  return reply.length + LINE_CHARACTERS * (order.request.line_items?.length ?? 0)
}

function keyOf({ order }: NewOrder): string {
  return JSON.stringify([order.facts.buyer_entity, order.request.external_order_id])
}

/** Binds one array per column. Adds the uploads and holds with the orders that name them, if any are named or an order revises another. */
function createOf(orders: readonly NewOrder[]): pg.QueryConfig {
  const drafts = valuesOf(DRAFT, orders.map(draftOf))
  const named = orders.flatMap(({ order }) => uploadsOf(order.request).map((upload_id) => ({ order_id: order.facts.order_id, upload_id })))
  const cited = orders.flatMap(({ order }) => holdsOf(order.request).map((hold_id) => ({ order_id: order.facts.order_id, hold_id })))
  const revises = orders.some(({ order }) => order.request.revision?.supersedes !== undefined)
  if (named.length === 0 && cited.length === 0 && !revises) return CREATE.bind(drafts)
  return CREATE_USING.bind({
    ...drafts,
    naming_orders: named.map(({ order_id }) => order_id),
    named_uploads: named.map(({ upload_id }) => upload_id),
    citing_orders: cited.map(({ order_id }) => order_id),
    cited_holds: cited.map(({ hold_id }) => hold_id),
  })
}

function draftOf({ order, event, commandId, requestSha256, reply, traceparent = null }: NewOrder): Record<keyof typeof DRAFT, unknown> {
  const { facts, request } = order
  const sent_sha256 = requestSha256.toString('hex')
  const record = { order_id: facts.order_id, sent_sha256, request: JSON.stringify(request), facts: JSON.stringify(facts), reply }
  const { snapshot_head, snapshot_lines, due_at, exposure, owed, line_count, units, first_air_date, month_lines } = renderFirst(
    order,
    record.request,
  )
  const body = JSON.stringify(event)
  return {
    order_id: facts.order_id,
    seller: request.seller,
    buyer_entity: facts.buyer_entity,
    external_order_id: request.external_order_id,
    workflow: facts.workflow,
    status: order.status,
    seq: event.seq,
    created_at: facts.created_at,
    occurred_at: event.occurred_at,
    due_at,
    snapshot_head,
    snapshot_lines,
    request_sha256: sent_sha256,
    request: record.request,
    facts: record.facts,
    reply,
    command_id: commandId,
    body,
    agreement_id: request.agreement_id ?? null,
    exposure,
    drawn: owed,
    supersedes: request.revision?.supersedes ?? null,
    notify_endpoint: facts.notify_endpoint ?? null,
    advertiser_id: request.buyer_metadata.advertiser_id,
    line_count,
    units,
    first_air_date,
    month_lines,
    hash: eventHash(recordHash(record), event.seq, body),
    traceparent,
  }
}

/** The columns of an order, its record and its first event, side by side. */
const DRAFT = {
  order_id: 'text',
  seller: 'text',
  buyer_entity: 'text',
  external_order_id: 'text',
  workflow: 'text',
  status: 'text',
  seq: 'int',
  created_at: 'timestamptz',
  occurred_at: 'timestamptz',
  due_at: 'timestamptz',
  snapshot_head: JSON_TEXT,
  snapshot_lines: JSON_TEXT,
  request_sha256: 'text',
  request: JSON_TEXT,
  facts: JSON_TEXT,
  reply: JSON_TEXT,
  command_id: 'text',
  body: JSON_TEXT,
  agreement_id: 'text',
  exposure: 'numeric',
  drawn: 'numeric',
  supersedes: 'text',
  notify_endpoint: 'text',
  advertiser_id: 'text',
  line_count: 'int',
  units: 'bigint',
  first_air_date: 'date',
  month_lines: 'text',
  hash: 'text',
  traceparent: 'text',
} as const

/**
 * Writes orders, records, seq 1, feed rows, deliveries and outbox rows. A concurrent request with the same key waits on the unique key,
 * then inserts nothing. `root` tells which family an order belongs to. Lines are null where the array has one text, an empty one.
 */
const written = (root: string) => `with draft as (
      select * from unnest(${arraysOf(DRAFT)})
        as draft (${namesOf(DRAFT).join(', ')})
    ), head as (
      insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, due_at,
        snapshot_head, snapshot_lines, agreement_id, exposure, drawn, supersedes, root, notify_endpoint, advertiser_id, line_count, units, first_air_date,
        month_lines)
      select order_id, seller, buyer_entity, external_order_id, workflow, status, seq, created_at, occurred_at, due_at,
        snapshot_head, coalesce(snapshot_lines, ''), agreement_id, exposure, drawn, supersedes,
        ${root}, notify_endpoint,
        advertiser_id, line_count, units, first_air_date, month_lines::jsonb from draft
      on conflict (buyer_entity, external_order_id) do nothing returning order_id
    ), fresh as (
      select draft.* from draft join head using (order_id)
    ), record as (
      insert into order_records (order_id, request_sha256, request, facts, reply)
      select order_id, decode(request_sha256, 'hex'), request, facts, reply from fresh
    ), event as (
      insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash, traceparent)
      select order_id, seller, buyer_entity, seq, command_id, 0, occurred_at, body, decode(hash, 'hex'), traceparent from fresh
    ), feed_rows as (
      insert into feed (tenant, event_type, status, order_id, seq)
      select tenant, 'order.status_changed', status, order_id, seq from fresh, unnest(array[buyer_entity, seller]) as tenant
    ), ${queueOrderEvents('select order_id, seq, status, buyer_entity, seller, notify_endpoint from fresh', 'select order_id, null::jsonb as command from head')}`

/** Creates orders that name no upload, no hold and no prior order, in one commit. Returns the ids of those that it wrote. */
const CREATE = statement('create-orders', namesOf(DRAFT), `${written('null')} select order_id from head`)

const ROOT = '(select coalesce(prior.root, prior.order_id) from orders prior where prior.order_id = draft.supersedes)'

/**
 * Creates orders that name uploads to pin, holds to use, or the order that they revise. If an upload cannot be pinned or a hold
 * cannot be used, `order_outdated()` ends the statement and nothing is written.
 */
const CREATE_USING = statement(
  'create-orders-using',
  [...namesOf(DRAFT), 'naming_orders', 'named_uploads', 'citing_orders', 'cited_holds'],
  `${written(ROOT)}, named as (
      select order_id, buyer_entity, upload_id from unnest(:naming_orders::text[], :named_uploads::text[]) as named (order_id, upload_id) join fresh using (order_id)
    ), pinned as (
      update uploads set pinned = true from named
      where uploads.upload_id = any(:named_uploads::text[]) and uploads.upload_id = named.upload_id and uploads.buyer_entity = named.buyer_entity
        and uploads.status = 'uploaded'
      returning uploads.upload_id, named.order_id
    ), attached as (
      insert into order_uploads (order_id, upload_id) select order_id, upload_id from pinned
    ), cited as (
      select order_id, buyer_entity, seller, hold_id from unnest(:citing_orders::text[], :cited_holds::text[]) as cited (order_id, hold_id) join fresh using (order_id)
    ), used as (
      update holds set status = 'used', order_id = cited.order_id from cited
      where holds.hold_id = any(:cited_holds::text[]) and holds.hold_id = cited.hold_id and holds.buyer_entity = cited.buyer_entity
        and holds.seller = cited.seller and holds.status = 'held' and holds.expires_at > now()
      returning holds.hold_id
    )
    select order_id, case when (select count(*) from pinned) + (select count(*) from used)
      <> (select count(*) from named) + (select count(*) from cited) then order_outdated() end as outdated from head`,
)

import type pg from 'pg'
import type { OrderEvent } from '../../contract/event.ts'
import type { OrderHead } from '../../domain/order/head.ts'
import { toldCommand } from '../../domain/order/toldCommand.ts'
import { LOG_APPENDS, measureEvents } from '../../metrics/log.ts'
import { tracedIn } from '../../metrics/tracing.ts'
import { QUOTE_PARAMETERS, quoteValues, WRITE_QUOTES } from '../catalog/quotes.ts'
import { isOrderMoved } from '../connection/databaseFault.ts'
import { takenLock } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { queueOrderEvents } from '../delivery/deliveries.ts'
import { chained } from './auditChain.ts'
import type { Append } from './command.ts'
import { HEAD_COLUMNS } from './orderHead.ts'
import { renderSnapshot } from './renderSnapshot.ts'

/** What an append did: the head after it, its last event's hash, and whether the relay has work. `moved`: it wrote nothing. */
export type EventsAppended = { kind: 'appended'; head: OrderHead; lastHash: string; woke: boolean } | { kind: 'moved' }

/**
 * Appends to an order under the caller's lock, or takes the lock itself. In the latter case the order may have moved since it was read, or
 * its family must be locked.
 */
export async function appendEvents(
  on: pg.Pool | pg.PoolClient,
  how: 'locked' | 'alone',
  append: Append,
  { lastHash = '', trace }: { readonly lastHash?: string | undefined; readonly trace: string | undefined },
): Promise<EventsAppended> {
  const events = chained(lastHash, append.events)
  const appended = LOG_APPENDS.startTimer({ what: 'events' })
  const result = await tracedIn(trace, { name: 'append events' }, (span) =>
    on
      .query<OrderHead & { moved: null; queued: number; notify_endpoint: string | null }>(
        boundAppend(STATEMENTS[how], append, { events, traceparent: span?.traceparent ?? trace ?? null }),
      )
      .catch((error) => {
        if (how === 'alone' && isOrderMoved(error)) return 'moved' as const
        throw error
      }),
  )
  if (result === 'moved') return { kind: 'moved' }
  appended()
  measureEvents(append.events)
  const [row] = result.rows
  if (row === undefined) throw new Error('an append returns the head')
  const { moved: _moved, queued, notify_endpoint: _endpoint, ...head } = row
  return { kind: 'appended', head, lastHash: events.at(-1)?.hash ?? lastHash, woke: append.command.wake || queued > 0 }
}

interface Chain {
  readonly events: ReturnType<typeof chained<OrderEvent>>
  readonly traceparent: string | null
}

/** Binds the form with quotes only if there are any: few commands create or end quotes, and the others must not pay for them. */
function boundAppend({ plain, quoting }: ReturnType<typeof appendStatements>, append: Append, chain: Chain): pg.QueryConfig {
  const values = appendValues(append, chain)
  const { quotes = [], ended = [] } = append
  if (quotes.length === 0 && ended.length === 0) return plain.bind(values)
  return quoting.bind({ ...values, ...quoteValues(quotes, ended) })
}

function appendValues({ after, events: appended, gate_due, command, outcome }: Append, { events, traceparent }: Chain) {
  return {
    order_id: after.facts.order_id,
    status: after.status,
    substatus: after.substatus,
    last_seq: after.last_seq,
    seq_before: after.last_seq - events.length,
    updated_at: after.updated_at,
    ...renderSnapshot(after),
    elapsed_s: after.elapsed_s ?? 0,
    keeps_gate: gate_due === undefined,
    gate_due: gate_due ?? null,
    command_id: command.id,
    repeat_key: command.repeatKey ?? null,
    outcome,
    wakes: command.wake,
    told: toldText(appended),
    event_seqs: events.map(({ event }) => event.seq),
    event_times: events.map(({ event }) => event.occurred_at),
    event_statuses: events.map(({ event }) => event.status),
    event_bodies: events.map(({ body }) => body),
    event_hashes: events.map(({ hash }) => hash),
    traceparent,
  }
}

/** Returns what the run of the order is told of the command, as JSON text. */
function toldText(events: readonly OrderEvent[]): string | null {
  const told = toldCommand(events)
  return told === undefined ? null : JSON.stringify(told)
}

const APPENDED = [
  ...['order_id', 'status', 'substatus', 'last_seq', 'seq_before', 'updated_at'],
  ...['parked_since', 'decide_by', 'due_at', 'elapsed_s', 'keeps_gate', 'gate_due', 'snapshot_head', 'snapshot_lines'],
  ...['exposure', 'owed', 'invoice_due_at', 'line_count', 'units', 'first_air_date', 'month_lines'],
  ...['command_id', 'repeat_key', 'outcome', 'wakes', 'told'],
  ...['event_seqs', 'event_times', 'event_statuses', 'event_bodies', 'event_hashes', 'traceparent'],
] as const satisfies readonly (keyof ReturnType<typeof appendValues>)[]

/**
 * Writes events, head, snapshot text, feed rows, outcome, outbox row and deliveries, and in the second form quotes, in one statement. The
 * head must still be where the fold began, else `order_moved()` ends the statement and nothing is written. Returns head and delivery count.
 */
function appendStatements(name: string, lock: string, from: string, allowed: string) {
  const text = (quotes: string) => `with ${lock} head as (
      update orders set status = :status, substatus = :substatus, last_seq = :last_seq, updated_at = :updated_at,
        parked_since = :parked_since, decide_by = :decide_by, due_at = :due_at, elapsed_s = :elapsed_s, closed = false, stuck_reason = null,
        gate_due = case when :keeps_gate then gate_due else :gate_due end,
        snapshot_head = :snapshot_head, snapshot_lines = :snapshot_lines, exposure = :exposure,
        drawn = greatest(:owed - settled_gross, 0), invoice_due_at = :invoice_due_at,
        line_count = :line_count, units = :units, first_air_date = :first_air_date, month_lines = :month_lines::jsonb,
        placed_at = case when :status = 'placed' then :updated_at else placed_at end
      ${from} where order_id = :order_id and last_seq = :seq_before ${allowed} returning ${HEAD_COLUMNS}, notify_endpoint
    ), drafts as (
      select * from unnest(:event_seqs::int[], :event_times::timestamptz[], :event_statuses::text[], :event_bodies::text[], :event_hashes::text[])
        with ordinality as draft (seq, occurred_at, status, body, hash, ordinal)
    ), events as (
      insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash, traceparent)
      select order_id, seller, buyer_entity, seq, :command_id, ordinal - 1, occurred_at, body, decode(hash, 'hex'), :traceparent from head, drafts
    ), feed_rows as (
      insert into feed (tenant, event_type, status, order_id, seq)
      select tenant, 'order.status_changed', drafts.status, order_id, seq from head, drafts, unnest(array[buyer_entity, seller]) as tenant order by seq
    ), outcomes as (
      insert into order_outcomes (order_id, command_id, repeat_key, last_seq, outcome)
      select order_id, :command_id, :repeat_key, :last_seq, :outcome from head
    ), ${quotes} ${queueOrderEvents(
      'select order_id, seq, drafts.status, buyer_entity, seller, notify_endpoint from head, drafts',
      'select order_id, :told::jsonb as command from head where :wakes',
    )}
    select case when order_id is null then order_moved() end as moved, (select count(*)::int from queued) as queued, head.*
      from (values (1)) as one left join head on true`
  return {
    plain: statement(name, APPENDED, text('')),
    quoting: statement(`${name}-quoting`, [...APPENDED, ...QUOTE_PARAMETERS], text(`${WRITE_QUOTES},`)),
  }
}

const APPEND = appendStatements('append-events', '', '', '')

/**
 * Forms its own transaction, which takes the order's lock first: the head is joined to the lock, and nothing is written before the head, so
 * that the lock precedes the transaction id (architecture, Lock first). It places no member of a family, since that ends other members. An
 * order that gets its first revision while the statement waits already has its `root` then, which the update sees.
 */
const APPEND_ALONE = appendStatements(
  'append-events-alone',
  `locked as materialized (select ${takenLock(':order_id')}),`,
  'from locked',
  `and (:status <> 'placed' or root is null)`,
)

const STATEMENTS = { locked: APPEND, alone: APPEND_ALONE }

import type { Selectable } from 'kysely'
import type { ReconciliationState } from '../../contract/vocabulary/reconciliation.ts'
import type { StoredLine } from '../../domain/settlement/reconciliationResult.ts'
import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'
import { utcText } from '../connection/utcText.ts'
import type { SettlementTables } from './settlementTables.ts'

type Row = Selectable<SettlementTables['variance_actions']>
type Shown = 'variance_id' | 'code' | 'action' | 'side' | 'actor' | 'note' | 'invoice_id' | 'units' | 'spot'

/** An action on a variance as it is stored. */
export interface StoredStep extends Pick<Row, Shown | 'request_key'> {
  amount: number | null
  gross: number
  at: string
  /** As hex text. */
  body_hash: string | null
}

/** SQL: the same as JSON, from `variance_actions a`. */
export const STEP = `json_build_object('variance_id', a.variance_id, 'code', a.code, 'action', a.action, 'side', a.side, 'actor', a.actor, 'note', a.note,
  'amount', a.amount, 'invoice_id', a.invoice_id, 'units', a.units, 'gross', a.gross, 'spot', a.spot,
  'at', ${utcText('a.at')}, 'request_key', a.request_key, 'body_hash', encode(a.body_hash, 'hex'))`

/** The line of a variance, as it is or, if new data ended the variance, as it was, with all actions on variances of that line. */
export interface VarianceLine {
  revision: number
  state: ReconciliationState
  unit_id: string | null
  network: string
  air_date: string
  broadcast_month: string
  body: StoredLine | null
  steps: StoredStep[]
}

/**
 * Locks the reconciliation of an order, so that no new result is written before the transaction ends. Take it before invoices, their
 * counters and the row of the order: a new result holds it while it waits for invoices.
 */
export async function lockReconciliation(tx: Tx, orderId: string): Promise<void> {
  await runOn(tx, LOCK.bind({ order_id: orderId }))
}

/** Locks the row, if there is one. */
const LOCK = statement('lock-reconciliation', ['order_id'], 'select from reconciliations where order_id = :order_id for update')

/** Returns the line of a variance. Undefined if the order has no such variance, and never had one that was acted on. */
export async function readVarianceLine(tx: Tx, orderId: string, varianceId: string): Promise<VarianceLine | undefined> {
  const { rows } = await runOn<VarianceLine>(tx, VARIANCE_LINE.bind({ order_id: orderId, variance_id: varianceId }))
  return rows[0]
}

/** Returns one row, or none. Finds the line by an index of variance ids, which row security would keep from being used here. */
const VARIANCE_LINE = statement(
  'read-variance-line',
  ['order_id', 'variance_id'],
  `with own as (
      select order_id, result, revision, state from reconciliations where order_id = :order_id
    ), current as (
      select l.unit_id, l.network, l.air_date, l.broadcast_month, l.body from own join reconciliation_lines l using (order_id, result)
      where l.line = line_of_variance(:order_id, :variance_id)
    ), place as (
      select * from current
      union all
      (select unit_id, network, air_date, broadcast_month, null from variance_actions
        where order_id = :order_id and variance_id = :variance_id and not exists (select from current) limit 1)
    )
    select own.revision, own.state, place.*, coalesce((select json_agg(${STEP} order by a.variance_id, a.n) from variance_actions a
      where a.order_id = :order_id and a.unit_id is not distinct from place.unit_id and a.network = place.network and a.air_date = place.air_date),
      '[]') as steps
    from own cross join place`,
)

export type NewStep = Omit<Row, 'at' | 'gross' | 'body_hash'> & {
  gross: number
  /** As hex text. */
  body_hash: string
}

/** Writes an action, and moves its order's revision. The caller holds the lock of the reconciliation. */
export async function insertStep(tx: Tx, step: NewStep): Promise<void> {
  await runOn(tx, INSERT.bind(step))
}

const COLUMNS = [
  ...['order_id', 'variance_id', 'n', 'seller', 'buyer_entity', 'action', 'side', 'actor', 'note', 'amount', 'invoice_id', 'code'],
  ...['unit_id', 'network', 'air_date', 'broadcast_month', 'units', 'gross', 'disputed', 'spot', 'request_key'],
] as const

/** Writes one action. Reads the clock once the lock is held. */
const INSERT = statement(
  'insert-variance-step',
  [...COLUMNS, 'body_hash'] as unknown as readonly (keyof NewStep)[],
  `with step as (
      insert into variance_actions (${COLUMNS.join(', ')}, body_hash, at)
      values (${COLUMNS.map((column) => `:${column}`).join(', ')}, decode(:body_hash, 'hex'), clock_timestamp())
      returning order_id
    )
    update reconciliations r set revision = revision + 1, changed_txid = feed_txid() from step where r.order_id = step.order_id`,
)

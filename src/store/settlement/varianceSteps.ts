import type { VarianceAction, VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { Side } from '../../contract/vocabulary.ts'
import type { StoredLine } from '../../domain/settlement/reconciliationResult.ts'
import type { Tx } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { runOn } from '../connection/txOn.ts'

/** An action on a variance as it is stored. */
export interface StoredStep {
  variance_id: string
  code: VarianceCode
  action: VarianceAction
  side: Side
  actor: string
  note: string | null
  amount: number | null
  invoice_id: string | null
  units: number
  gross: number
  at: string
}

/** The same as JSON, of `variance_actions a`. */
export const STEP = `json_build_object('variance_id', a.variance_id, 'code', a.code, 'action', a.action, 'side', a.side, 'actor', a.actor, 'note', a.note,
  'amount', a.amount, 'invoice_id', a.invoice_id, 'units', a.units, 'gross', a.gross,
  'at', to_char(a.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`

/** The line of a variance, as it is or, where new data ended the variance, as it was, with everything that was done about variances of that line. */
export interface VarianceLine {
  revision: number
  unit_id: string | null
  network: string
  air_date: string
  broadcast_month: string
  body: StoredLine | null
  steps: StoredStep[]
}

/**
 * Locks the reconciliation of an order, so that no new result comes before the transaction ends. To be taken before invoices, their counters and the row of
 * the order: a new result holds it while it waits for invoices.
 */
export async function lockReconciliation(tx: Tx, orderId: string): Promise<void> {
  await runOn(tx, LOCK.bind({ order_id: orderId }))
}

/** Locks the row, if there is one. */
const LOCK = statement('lock-reconciliation', ['order_id'], 'select from reconciliations where order_id = :order_id for update')

/** Reads where a variance is. Undefined when the order has no such variance, and never had one that was acted on. */
export async function readVarianceLine(tx: Tx, orderId: string, varianceId: string): Promise<VarianceLine | undefined> {
  const { rows } = await runOn<VarianceLine>(tx, VARIANCE_LINE.bind({ order_id: orderId, variance_id: varianceId }))
  return rows[0]
}

/** One row, or none. Ids are long enough to be found in the text of a line, most of which need not be parsed. */
const VARIANCE_LINE = statement(
  'read-variance-line',
  ['order_id', 'variance_id'],
  `with own as (
      select order_id, result, revision from reconciliations where order_id = :order_id
    ), current as (
      select l.unit_id, l.network, l.air_date, l.broadcast_month, l.body from own join reconciliation_lines l using (order_id, result)
      where cardinality(l.codes) > 0 and position('"' || :variance_id || '"' in l.body::text) > 0 limit 1
    ), place as (
      select * from current
      union all
      (select unit_id, network, air_date, broadcast_month, null from variance_actions
        where order_id = :order_id and variance_id = :variance_id and not exists (select from current) limit 1)
    )
    select own.revision, place.*, coalesce((select json_agg(${STEP} order by a.variance_id, a.n) from variance_actions a
      where a.order_id = :order_id and a.unit_id is not distinct from place.unit_id and a.network = place.network and a.air_date = place.air_date),
      '[]') as steps
    from own cross join place`,
)

export interface NewStep {
  order_id: string
  variance_id: string
  n: number
  seller: string
  buyer_entity: string
  action: VarianceAction
  side: Side
  actor: string
  note: string | null
  amount: string | null
  invoice_id: string | null
  code: VarianceCode
  unit_id: string | null
  network: string
  air_date: string
  broadcast_month: string
  units: number
  gross: number
  disputed: string
}

/** Writes an action, and moves the revision of its order. The lock of its reconciliation is held. */
export async function insertStep(tx: Tx, step: NewStep): Promise<void> {
  await runOn(tx, INSERT.bind(step))
}

const COLUMNS = [
  ...['order_id', 'variance_id', 'n', 'seller', 'buyer_entity', 'action', 'side', 'actor', 'note', 'amount', 'invoice_id', 'code'],
  ...['unit_id', 'network', 'air_date', 'broadcast_month', 'units', 'gross', 'disputed'],
] as const

/** Writes one action. The clock is read when the lock is held. */
const INSERT = statement(
  'insert-variance-step',
  COLUMNS as unknown as readonly (keyof NewStep)[],
  `with step as (
      insert into variance_actions (${COLUMNS.join(', ')}, at) values (${COLUMNS.map((column) => `:${column}`).join(', ')}, clock_timestamp())
      returning order_id
    )
    update reconciliations r set revision = revision + 1, changed_txid = feed_txid() from step where r.order_id = step.order_id`,
)

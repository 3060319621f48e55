import type { ReconcileState } from '../../../src/domain/settlement/reconcileState.ts'
import { broadcastDateOf, type SellerRow } from '../../../src/domain/settlement/sellerRows.ts'
import { openLargeOrders } from '../../../src/operations/settlement/largeOrders.ts'
import { recomputeDue } from '../../../src/operations/settlement/recomputeDue.ts'
import { type Database, openDatabase } from '../../../src/store/connection/database.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'

/** A row of a log or an invoice, with the order that it belongs to. */
export interface OrderRow {
  readonly order_id: string
  readonly row: SellerRow
}

let files = 0

/** Writes rows as a file of delivery posts leaves them, with logs and invoices. Marks their orders and those that the logs concern. */
export async function writeRows({ pool }: Pick<Database, 'pool'>, seller: string, rows: readonly OrderRow[]): Promise<void> {
  files += 1
  const file = `file-${files}`
  const sent = rows.map(({ order_id, row }, index) => ({
    ...row,
    ...{ order_id, seller, file, registration: files, row: index + 1, broadcast_date: broadcastDateOf(row), log_id: '' },
    ...{ status: row.ran ? 'Aired' : 'Missed', broadcast_month: row.air_date.slice(0, 7), invoice_date: row.air_date, revision: 0 },
  }))
  const airing =
    'order_id, network, broadcast_date, air_date, air_time, clock, spot_length, isci, unit_id, makegood_for_unit_id, makegood_for_date, ran'
  const write = (record_type: SellerRow['record_type'], statement: string) =>
    pool.query(statement, [JSON.stringify(sent.filter((row) => row.record_type === record_type))])
  const from = (table: string) => `from json_populate_recordset(null::${table}, $1)`
  await write(
    'as_run',
    `with days as (
        insert into as_run_days select distinct on (network, broadcast_date) (d).* from (select d ${from('as_run_days')} d) rows
        on conflict do nothing
      )
      insert into as_run_rows (seller, ${airing}, registration, file, row, log_id, status, reason)
      select seller, ${airing}, registration, file, row, log_id, status, reason ${from('as_run_rows')}`,
  )
  await write(
    'invoice',
    `with invoices as (
        insert into seller_invoices select distinct on (invoice_number) (i).* from (select i ${from('seller_invoices')} i) rows
        on conflict do nothing
      )
      insert into billed_rows (seller, ${airing}, registration, file, row, invoice_number, broadcast_month, rate)
      select seller, ${airing}, registration, file, row, invoice_number, broadcast_month, rate ${from('billed_rows')}`,
  )
  const logged = rows.flatMap(({ row }) => (row.record_type === 'as_run' ? [row.network] : []))
  const covered = await pool.query<Pick<OrderRow, 'order_id'>>(
    'select distinct order_id from booked_spots where seller = $1 and network = any($2)',
    [seller, logged],
  )
  await markDue({ pool }, seller, [...new Set([...rows, ...covered.rows].map(({ order_id }) => order_id))])
}

/** Marks orders as everything does that changes their spots or rows. */
export async function markDue({ pool }: Pick<Database, 'pool'>, seller: string, orderIds: readonly string[]): Promise<void> {
  await pool.query(
    `insert into reconcile_due (order_id, seller) select order_id, $1 from unnest($2::text[]) as marked (order_id)
     on conflict (order_id) do update set marked_at = now(), due_at = now()`,
    [seller, orderIds],
  )
}

export type Recompute = (seller: string, failures?: unknown[]) => Promise<ReconcileState>

/** Recomputes what is due for a seller, as the activity does. Throws failures unless they are collected. */
export function recomputeOf({ databaseUrl }: { readonly databaseUrl: string }): Recompute {
  return async (seller, failures) => {
    const found: unknown[] = failures ?? []
    const db = openDatabase(databaseUrl, { max: 4 })
    const largeOrders = openLargeOrders(databaseUrl)
    try {
      const state = await recomputeDue({ log: openOrderLog(db, () => undefined), db, largeOrders }, seller, {
        signal: new AbortController().signal,
        onFailure: (_, error) => void found.push(error),
      })
      if (failures === undefined && found.length > 0) throw found[0]
      return state
    } finally {
      await largeOrders.close()
      await db.close()
    }
  }
}

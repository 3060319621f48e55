import type { MakegoodStatus } from '../../contract/vocabulary/makegoods.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { markDue } from '../settlement/reconcileQueue.ts'

/** The work that is left for the runs of makegoods. */

type Pool = Pick<Database, 'pool'>

/** A makegood as its run sees it. */
export interface TendedMakegood {
  readonly order_id: string
  readonly status: MakegoodStatus
  readonly version: number
  readonly due_at: string | null
  readonly followed: boolean
  readonly updated_at: string
  /** Whether its time has come, by the clock of the database, or its order is no longer placed. */
  readonly is_due: boolean
}

export async function readTended({ pool }: Pool, makegoodId: string): Promise<TendedMakegood | undefined> {
  const { rows } = await pool.query<TendedMakegood>(READ.bind({ makegood_id: makegoodId }))
  return rows[0]
}

/** Returns one row, or none. */
const READ = statement(
  'read-tended-makegood',
  ['makegood_id'],
  `select m.order_id, m.status, m.version, m.due_at, m.followed, m.updated_at, m.due_at is not null and (m.due_at <= now() or o.status <> 'placed') as is_due
    from makegoods m join orders o using (order_id) where m.makegood_id = :makegood_id`,
)

/**
 * Marks the order of an answered makegood to be reconciled, since what is agreed or credited is part of its result, and to be looked at for invoices, since
 * what is agreed may be billed in another month. Does nothing if the makegood has changed
 * since `updated_at`: its run is woken for that.
 */
export async function followMakegood(
  { pool }: Pool,
  { makegood_id, seller, updated_at }: { makegood_id: string; seller: string; updated_at: string },
): Promise<void> {
  await pool.query(FOLLOW.bind({ makegood_id, seller, updated_at }))
}

const FOLLOW = statement(
  'follow-makegood',
  ['makegood_id', 'seller', 'updated_at'],
  `with followed as (
      update makegoods set followed = true where makegood_id = :makegood_id and updated_at = :updated_at returning order_id, status, agreed
    ), ${markDue(`select f.order_id from followed f join booked_orders b using (order_id) where f.status in ('accepted', 'credited')`)}
    , billed as (
      update orders o set invoice_due_at = now() from followed f
      where o.order_id = f.order_id and f.status = 'accepted' and f.agreed->>'billing' = 'aired'
        and (o.invoice_due_at is not null or exists (select from invoices i where i.order_id = o.order_id))
    )
    select from followed`,
)

/** SQL: selects the makegoods whose run has work left, now or later. */
export const OPEN_MAKEGOODS = 'select makegood_id as target from makegoods where due_at is not null or not followed'

/** Wakes the runs of makegoods that should have moved a minute ago, since those runs are lost. Returns their number. */
export async function sweepMakegoods({ pool }: Pool): Promise<number> {
  return (await pool.query(SWEEP)).rowCount ?? 0
}

/** Wakes up to 1,000 runs. Returns nothing; the row count is their number. */
const SWEEP = {
  name: 'sweep-makegoods',
  text: `insert into outbox (kind, target) select 'makegood', makegood_id from makegoods
    where (due_at < now() - interval '1 minute' or not followed and updated_at < now() - interval '1 minute')
      and makegood_id not in (select target from outbox where kind = 'makegood') limit 1000`,
}

/** Wakes the runs of the open makegoods of an order that has ended, which recall them. */
export async function wakeMakegoodsOf({ pool }: Pool, orderId: string): Promise<void> {
  await pool.query(WAKE_ALL.bind({ order_id: orderId }))
}

const WAKE_ALL = statement(
  'wake-makegoods-of-order',
  ['order_id'],
  `insert into outbox (kind, target) select 'makegood', makegood_id from makegoods where order_id = :order_id and due_at is not null`,
)

import type { ReconcileState } from '../../domain/settlement/reconcileState.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The queue of orders that must be reconciled: marks orders, takes them in turn, and retries an order that failed. */

type Pool = Pick<Database, 'pool'>

/**
 * SQL: the end of a statement whose parameter is :seller: marks the orders that a query selects, and wakes the run of the seller when the
 * transaction commits. Marks orders by id, like everything that marks orders, so that no two transactions deadlock.
 *
 * A waiting outbox row that nobody holds serves this transaction too: its lock keeps the relay from taking it before the commit. Thus many
 * orders that close one after another wake the run once in two seconds.
 */
export const markDue = (orders: string) => `due as (
    insert into reconcile_due (order_id, seller)
    select order_id, :seller from (${orders}) touched order by order_id
    on conflict (order_id) do update set marked_at = excluded.marked_at, due_at = excluded.due_at returning order_id
  ), waits as materialized (
    select from outbox where kind = 'reconcile' and target = :seller and attempts = 0 limit 1 for update skip locked
  ), wakes as (
    insert into outbox (kind, target, claimable_at) select 'reconcile', :seller, now() + interval '2 s'
    where exists (select from due) and not exists (select from waits)
  )`

/** An order that is due. */
export interface DueReconciliation {
  readonly order_id: string
  /** Identifies the mark: a different one means that the order's spots or rows have changed since. */
  readonly mark: string
  /** Null if its spots are not written yet. */
  readonly booked_seq: number | null
  readonly size: ReconcileSize
}

/** The size of an order. */
export interface ReconcileSize {
  /** The number of its spots, and rows of logs and invoices, each counted up to one more than the largest order may have. */
  readonly matched: number
  /** Whether a result of it, current or not, has more lines than LARGE_FROM. */
  readonly hasManyLines: boolean
}

/** The spots, rows and lines from which on a thread takes an order: the rules take a twentieth of a second for this many. */
export const LARGE_FROM = 8_000

/** The spots and rows of the largest order that is matched: this takes the thread some ten seconds and some 500 MB. */
export const LARGEST_ORDER = 250_000

/**
 * Returns a seller's due orders, the longest due first. Skips orders that are being marked now. Reads their other data after their marks,
 * so that it is never older than its mark, and nobody who marks waits while rows are counted.
 */
export async function dueReconciliations({ pool }: Pool, seller: string, limit: number): Promise<DueReconciliation[]> {
  const { rows: marked } = await pool.query<Pick<DueReconciliation, 'order_id' | 'mark'>>(DUE.bind({ seller, limit }))
  if (marked.length === 0) return []
  const order_ids = marked.map(({ order_id }) => order_id)
  const { rows } = await pool.query<Sized>(SIZES.bind({ order_ids, max: LARGEST_ORDER + 1, large_from: LARGE_FROM }))
  const sizes = new Map(rows.map((row) => [row.order_id, row]))
  return marked.map(({ order_id, mark }) => {
    const { booked_seq, matched, hasManyLines } = sizes.get(order_id) as Sized
    return { order_id, mark, booked_seq, size: { matched, hasManyLines } }
  })
}

type Sized = Pick<DueReconciliation, 'order_id' | 'booked_seq'> & ReconcileSize

/** Reads the marks of a seller's due orders. The lock only detects orders that are being marked: it ends with the statement. */
const DUE = statement(
  'due-reconciliations',
  ['seller', 'limit'],
  `select order_id, xmin::text as mark from reconcile_due where seller = :seller and due_at <= now()
    order by due_at, order_id limit :limit for update skip locked`,
)

const counted = (table: string) =>
  `(select count(*)::int from (select from ${table} where order_id = due.order_id limit :max::int) counted)`

/**
 * Reads how far orders are booked, and their sizes: a row for each id. Does not count lines: their numbers are in the index, so that the
 * many versions that recomputes leave before a vacuum are not read.
 */
const SIZES = statement(
  'reconcile-sizes',
  ['order_ids', 'max', 'large_from'],
  `select order_id, b.booked_seq, ${['booked_spots', 'as_run_rows', 'billed_rows'].map(counted).join(' + ')} as matched,
      exists (select from reconciliation_lines l where l.order_id = due.order_id and l.line > :large_from::int offset 0) as "hasManyLines"
    from unnest(:order_ids::text[]) as due (order_id) left join booked_orders b using (order_id)`,
)

/** Drops the mark of an order, unless it was marked again. */
export async function dropMark({ pool }: Pool, { order_id, mark }: Pick<DueReconciliation, 'order_id' | 'mark'>): Promise<void> {
  await pool.query(DROP.bind({ order_id, mark }))
}

/** Ends a mark. */
const DROP = statement('drop-mark', ['order_id', 'mark'], 'delete from reconcile_due where order_id = :order_id and xmin::text = :mark')

/** Makes an order due again later: after a minute at first, after six hours eventually. New rows make it due at once. */
export async function postponeReconciliation({ pool }: Pool, order_id: string, mark: string, fault: string): Promise<void> {
  await pool.query(POSTPONE.bind({ order_id, mark, fault: fault.slice(0, 500) }))
}

/** Counts a failed attempt. */
const POSTPONE = statement(
  'postpone-reconciliation',
  ['order_id', 'mark', 'fault'],
  `update reconcile_due set attempts = attempts + 1, fault = :fault,
      due_at = now() + least(interval '1 minute' * 2 ^ least(attempts, 10), interval '6 hours')
    where order_id = :order_id and xmin::text = :mark`,
)

/** Returns the orders that a seller has left. */
export async function readReconcileState({ pool }: Pool, seller: string): Promise<ReconcileState> {
  const { rows } = await pool.query<Omit<ReconcileState, 'seller'>>(STATE.bind({ seller }))
  return { seller, ...(rows[0] as Omit<ReconcileState, 'seller'>) }
}

/** Returns one row. */
const STATE = statement(
  'read-reconcile-state',
  ['seller'],
  `select least(min(due_at), (select min(marked_at) from agreements_due where seller = :seller)) as at, count(*)::int as waiting,
      (count(*) filter (where attempts > 0))::int as failing
    from reconcile_due where seller = :seller`,
)

/** Puts every seller with an order that has been due for a minute into the outbox, unless it is already there. Returns their number. */
export async function sweepReconciliations({ pool }: Pool): Promise<number> {
  const { rowCount } = await pool.query(SWEEP.bind({}))
  return rowCount ?? 0
}

/** SQL: selects the sellers that have orders to reconcile, at whatever time. */
export const OPEN_RECONCILIATIONS = 'select seller as target from reconcile_due union select seller from agreements_due'

/** Gives each seller whose orders are stuck an outbox row; the row count is their number. */
const SWEEP = statement(
  'sweep-reconciliations',
  [],
  `insert into outbox (kind, target) select 'reconcile', seller from sellers s
    where (exists (select from reconcile_due d where d.seller = s.seller and d.due_at < now() - interval '1 minute')
        or exists (select from agreements_due a where a.seller = s.seller and a.marked_at < now() - interval '1 minute'))
      and seller not in (select target from outbox where kind = 'reconcile')`,
)

import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import type { ReconciledHead } from './readToReconcile.ts'
import { dropMark } from './reconcileQueue.ts'
import { HEADS_WRITTEN, headRow, holdMarks, LINES_PER_BATCH, type MarkedResult, newResultNo, writeLines } from './saveReconciliations.ts'

type Pool = Pick<Database, 'pool'>

/**
 * Writes the result of an order with many lines in several transactions: readers see the previous result until all lines are there. First
 * deletes what an earlier, unfinished attempt has left. Drops the mark once the replaced lines are deleted too; until then another attempt
 * finds the same bytes and continues. Returns false if the order has been marked since it was read: then it stays due.
 */
export async function saveLargeReconciliation(db: Pool, marked: MarkedResult): Promise<boolean> {
  const { result, mark } = marked
  const { order_id, digest } = result.head
  await deleteOtherLines(db, result.head)
  if (digest !== result.digest) {
    if (!(await publishLines(db, marked))) return false
    await deleteOtherLines(db, result.head)
  }
  await dropMark(db, { order_id, mark })
  return true
}

/** Writes the lines and makes them current. Returns false if the order has been marked since it was read. */
async function publishLines({ pool }: Pool, { result, mark }: MarkedResult): Promise<boolean> {
  const { order_id, seller } = result.head
  const no = newResultNo()
  const lock = lockOn(`reconcile:${seller}`)
  for (let from = 0; from < result.lines.length; from += LINES_PER_BATCH) {
    const lines = result.lines.slice(from, from + LINES_PER_BATCH)
    await lockedTransaction(pool, lock, (client) => writeLines(client, no, [{ head: result.head, lines }]))
  }
  return lockedTransaction(pool, lock, async (client) => {
    const held = await holdMarks(client, [{ order_id, mark }])
    if (!held.has(order_id)) return false
    const { rows } = await client.query<{ written: number }>(COUNT.bind({ order_id, no }))
    if (rows[0]?.written !== result.lines.length) throw new Error(`another attempt has deleted lines of ${order_id}`)
    await client.query(PUBLISH.bind({ heads: JSON.stringify([headRow(result, no)]) }))
    return true
  })
}

/** Counts the lines of a result. */
const COUNT = statement(
  'count-reconciliation-lines',
  ['order_id', 'no'],
  'select count(*)::int as written from reconciliation_lines where order_id = :order_id and result = :no::int',
)

/** Makes lines that have been written current. */
const PUBLISH = statement('publish-reconciliation', ['heads'], `with ${HEADS_WRITTEN} select from written`)

/**
 * Deletes an order's lines except the current ones, in several transactions. Finds out under the lock which are current, as another worker
 * may have published during the computation. May delete what another attempt is writing, which that attempt notices when it counts.
 */
async function deleteOtherLines({ pool }: Pool, { order_id, seller }: Pick<ReconciledHead, 'order_id' | 'seller'>): Promise<void> {
  const lock = lockOn(`reconcile:${seller}`)
  for (let deleted = LINES_PER_BATCH; deleted === LINES_PER_BATCH; ) {
    const { rowCount } = await lockedTransaction(pool, lock, (client) =>
      client.query(DELETE_OTHERS.bind({ order_id, limit: LINES_PER_BATCH })),
    )
    deleted = rowCount ?? 0
  }
}

/** Deletes some lines that are not current: without a result, no line is current. */
const DELETE_OTHERS = statement(
  'delete-other-lines',
  ['order_id', 'limit'],
  `delete from reconciliation_lines where ctid = any(array(
    select ctid from reconciliation_lines
    where order_id = :order_id and result is distinct from (select result from reconciliations where order_id = :order_id) limit :limit::int))`,
)

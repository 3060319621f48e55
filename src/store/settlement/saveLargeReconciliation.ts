import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { dropMark } from './reconcileQueue.ts'
import { HEADS_WRITTEN, headRow, holdMarks, LINES_AT_ONCE, type MarkedResult, newResultNo, writeLines } from './saveReconciliations.ts'

type Pool = Pick<Database, 'pool'>

/**
 * Writes the result of an order with many lines, some in each transaction: readers see the result before until all lines are there. What an attempt
 * that ended early has left is deleted first. The mark falls when the lines that are replaced are deleted too; until then another attempt finds the same
 * bytes and goes on. Returns false if the order has been marked since it was read: then it stays due.
 */
export async function saveLargeReconciliation(db: Pool, marked: MarkedResult): Promise<boolean> {
  const { result, mark } = marked
  const { order_id, digest } = result.head
  await deleteOtherLines(db, order_id, result.head.result)
  if (digest !== result.digest) {
    const no = await publishLines(db, marked)
    if (no === undefined) return false
    await deleteOtherLines(db, order_id, no)
  }
  await dropMark(db, { order_id, mark })
  return true
}

/** Writes the lines and makes them current. Returns their number; undefined if the order has been marked since. */
async function publishLines({ pool }: Pool, { result, mark }: MarkedResult): Promise<number | undefined> {
  const { order_id, seller } = result.head
  const no = newResultNo()
  const lock = lockOn(`reconcile:${seller}`)
  for (let from = 0; from < result.lines.length; from += LINES_AT_ONCE) {
    const lines = result.lines.slice(from, from + LINES_AT_ONCE)
    await lockedTransaction(pool, lock, (client) => writeLines(client, [{ result, no, lines }]))
  }
  return lockedTransaction(pool, lock, async (client) => {
    const held = await holdMarks(client, [{ order_id, mark }])
    if (!held.has(order_id)) return undefined
    const { rows } = await client.query<{ written: number }>(COUNT.bind({ order_id, no }))
    if (rows[0]?.written !== result.lines.length) throw new Error(`another attempt has deleted lines of ${order_id}`)
    await client.query(PUBLISH.bind({ heads: JSON.stringify([headRow(result, no)]) }))
    return no
  })
}

/** Counts the lines of a result. */
const COUNT = statement(
  'count-reconciliation-lines',
  ['order_id', 'no'],
  'select count(*)::int as written from reconciliation_lines where order_id = :order_id and result = :no::int',
)

/** Makes lines that are written current. */
const PUBLISH = statement('publish-reconciliation', ['heads'], `with ${HEADS_WRITTEN} select from written`)

/** Deletes all lines of an order but those with a number, some in each transaction. */
async function deleteOtherLines({ pool }: Pool, order_id: string, no: number): Promise<void> {
  for (let deleted = LINES_AT_ONCE; deleted === LINES_AT_ONCE; ) {
    const { rowCount } = await pool.query(DELETE_OTHERS.bind({ order_id, no, limit: LINES_AT_ONCE }))
    deleted = rowCount ?? 0
  }
}

/** Deletes some lines of other numbers. */
const DELETE_OTHERS = statement(
  'delete-other-lines',
  ['order_id', 'no', 'limit'],
  `delete from reconciliation_lines where ctid = any(array(
    select ctid from reconciliation_lines where order_id = :order_id and result <> :no::int limit :limit::int))`,
)

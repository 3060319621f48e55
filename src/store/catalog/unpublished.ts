import { sql } from 'kysely'
import type { Tx } from '../connection/database.ts'

/**
 * A large card is written in many short transactions, under a commit number that no commit has yet; the last one, a short one too, makes the commit,
 * and with it everything visible. Until then the seller's row names the number, and every read of prices leaves it out. A file drop writes several
 * cards in this way and makes them visible together.
 */

interface Writing {
  readonly seller: string
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The condition that keeps what is not published out of a read of a seller's prices: `column` is a commit_no, which may be null. */
export function isPublished(seller: string, column = 'commit_no'): string {
  return `(${column} = any((select s.unpublished_commit_nos from sellers s where s.seller = ${seller})::bigint[])) is not true`
}

/** A number for a commit that is about to be written; everything under it is unpublished until `insertCommit`. */
export async function beginUnpublished({ seller, commit }: Writing): Promise<string> {
  return commit(async (tx) => {
    const { rows } = await sql<{ commit_no: string }>`
      update sellers set unpublished_commit_nos = unpublished_commit_nos || nextval('rate_commits_commit_no_seq') where seller = ${seller}
      returning unpublished_commit_nos[cardinality(unpublished_commit_nos)] as commit_no`.execute(tx)
    const [row] = rows
    if (row === undefined) throw new Error(`there is no seller ${seller}`)
    return row.commit_no
  })
}

/** Rows of one transaction. */
const AT_ONCE = 5_000

/** Takes away what was written under a number that never became a commit: its process was killed, or it failed. */
export async function clearUnpublished({ seller, commit }: Writing, commitNo: string): Promise<void> {
  for (const table of ['rate_entries', 'rate_windows', 'priced_values'] as const) {
    for (let cleared = AT_ONCE; cleared === AT_ONCE; ) {
      cleared = await commit(async (tx) => {
        const { numAffectedRows } = await sql`
          delete from ${sql.table(table)} where ctid = any(array(
            select ctid from ${sql.table(table)} where seller = ${seller} and commit_no = ${commitNo}::bigint limit ${AT_ONCE}))`.execute(
          tx,
        )
        return Number(numAffectedRows ?? 0)
      })
    }
  }
  await commit((tx) => leaveUnpublished(tx, seller, commitNo))
}

/** Removes a number from those that reads leave out: its commit is complete, or all of it is deleted. */
export async function leaveUnpublished(tx: Tx, seller: string, commitNo: string): Promise<void> {
  await sql`
    update sellers set unpublished_commit_nos = array_remove(unpublished_commit_nos, ${commitNo}::bigint) where seller = ${seller}`.execute(
    tx,
  )
}

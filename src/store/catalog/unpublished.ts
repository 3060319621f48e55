import { sql } from 'kysely'
import type { Tx } from '../connection/database.ts'

/**
 * A large card is written in many short transactions, under a commit number that no commit has yet; the last one, a short one too, makes the commit,
 * and with it everything visible. Until then the seller's row names the number, and every read of prices leaves it out.
 */

interface Writing {
  readonly seller: string
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** The condition that keeps what is not published out of a read of a seller's prices: `column` is a commit_no. */
export function isPublished(seller: string, column = 'commit_no'): string {
  return `${column} is distinct from (select s.unpublished_commit_no from sellers s where s.seller = ${seller})`
}

/** A number for a commit that is about to be written; everything under it is unpublished until `publishCommit`. */
export async function beginUnpublished({ seller, commit }: Writing): Promise<string> {
  return commit(async (tx) => {
    const { rows } = await sql<{ commit_no: string }>`
      update sellers set unpublished_commit_no = nextval('rate_commits_commit_no_seq') where seller = ${seller}
      returning unpublished_commit_no as commit_no`.execute(tx)
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
  await commit((tx) => sql`update sellers set unpublished_commit_no = null where seller = ${seller}`.execute(tx))
}

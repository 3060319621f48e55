import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../connection/database.ts'

/**
 * A large publish is written in many short transactions, under a number that no commit has yet; a last short one makes everything visible.
 * Until then the seller's row names the number, and every read leaves out what is written under it. A card gives its number to its commit.
 * A catalog update writes new rows, and marks the rows that they replace. A file drop does both and makes everything visible together.
 */

interface Writing {
  readonly seller: string
  commit<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

/** Returns the condition that hides unpublished rows from a read of a seller's prices: `column` is a commit_no. */
export function isPublished(seller: string, column = 'commit_no'): string {
  return `(${column} = any((select s.unpublished_commit_nos from sellers s where s.seller = ${seller})::bigint[])) is not true`
}

/** Returns the condition for products in force: `product` is an alias of the table. Most rows meet it without reading the seller. */
export function isInForce(product: string, seller: string): string {
  const unpublished = `(select publisher.unpublished_commit_nos from sellers publisher where publisher.seller = ${seller})::bigint[]`
  return `(${product}.added_by = 0 or ${product}.added_by <> all(${unpublished}))
    and (${product}.replaced_by = 0 or ${product}.replaced_by = any(${unpublished}))`
}

/** Returns a number for the rows of a publish; everything under it is unpublished until `leaveUnpublished`. */
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

/** Writes rows under a number, and leaves none of them if that fails. */
export async function written(writing: Writing, number: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // If this fails as well, the seller's next publish does it.
    await clearUnpublished(writing, number).catch(() => undefined)
    throw error
  }
}

/** Rows per transaction. */
const BATCH = 2_500

/** Removes what was written under a number that was never published because its process was killed or failed. */
export async function clearUnpublished(writing: Writing, number: string): Promise<void> {
  const { seller, commit } = writing
  for (const table of ['rate_entries', 'rate_windows', 'priced_values']) await changeAll(writing, table, sql`commit_no = ${number}::bigint`)
  await changeAll(writing, 'products', sql`added_by = ${number}::bigint`)
  await changeAll(writing, 'products', sql`replaced_by = ${number}::bigint`, sql`update products set replaced_by = 0`)
  await commit((tx) => leaveUnpublished(tx, seller, number))
}

/** Deletes the products that updates have replaced. Requires the publish lock, and that nothing is unpublished. */
export async function deleteReplaced(writing: Writing): Promise<void> {
  await changeAll(writing, 'products', sql`replaced_by <> 0`)
}

/** Deletes rows of a seller, or changes them so that they no longer meet the condition, in short transactions. */
async function changeAll(
  { seller, commit }: Writing,
  table: string,
  condition: RawBuilder<unknown>,
  change = sql`delete from ${sql.table(table)}`,
): Promise<void> {
  for (let changed = BATCH; changed === BATCH; ) {
    changed = await commit(async (tx) => {
      const some = sql`select ctid from ${sql.table(table)} where seller = ${seller} and ${condition} limit ${BATCH}`
      const { numAffectedRows } = await sql`${change} where ctid = any(array(${some}))`.execute(tx)
      return Number(numAffectedRows ?? 0)
    })
  }
}

/** Removes a number from those that reads leave out, once all of its rows are complete or deleted. */
export async function leaveUnpublished(tx: Tx, seller: string, commitNo: string): Promise<void> {
  await sql`
    update sellers set unpublished_commit_nos = array_remove(unpublished_commit_nos, ${commitNo}::bigint) where seller = ${seller}`.execute(
    tx,
  )
}

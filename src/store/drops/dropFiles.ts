import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The files that have landed in drops, with the hashes that were found, each for one object as its tag names it. */

type Pool = Pick<Database, 'pool'>

export interface DropFileKey {
  readonly seller: string
  readonly drop_id: string
  readonly filename: string
}

/** The hash of an object, if it was found before. */
export async function findHash({ pool }: Pool, { seller, drop_id, filename }: DropFileKey, tag: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ sha256: string }>(FIND.bind({ seller, drop_id, filename, tag }))
  return rows[0]?.sha256
}

/** Keeps the hash of an object, in place of that of an earlier one of its name. */
export async function keepHash(
  { pool }: Pool,
  { seller, drop_id, filename }: DropFileKey,
  { size, tag, sha256 }: { size: number; tag: string; sha256: string },
): Promise<void> {
  await pool.query(KEEP.bind({ seller, drop_id, filename, size, tag, sha256 }))
}

/** The hash of a file whose object has a tag, or no row. */
const FIND = statement(
  'find-drop-hash',
  ['seller', 'drop_id', 'filename', 'tag'],
  'select sha256 from drop_files where seller = :seller and drop_id = :drop_id and filename = :filename and tag = :tag',
)

/** Writes or replaces the row of a file. */
const KEEP = statement(
  'keep-drop-file',
  ['seller', 'drop_id', 'filename', 'size', 'tag', 'sha256'],
  `insert into drop_files (seller, drop_id, filename, size, tag, sha256) values (:seller, :drop_id, :filename, :size, :tag, :sha256)
    on conflict (seller, drop_id, filename) do update set size = excluded.size, tag = excluded.tag, sha256 = excluded.sha256, landed_at = now()`,
)

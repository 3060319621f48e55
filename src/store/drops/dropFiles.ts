import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The files that have landed in drops, and their hashes. Each hash applies to one object, which its tag identifies. */

type Pool = Pick<Database, 'pool'>

export interface DropFileKey {
  readonly seller: string
  readonly drop_id: string
  readonly filename: string
}

/** Returns the hash of an object, if it was computed before. */
export async function findHash({ pool }: Pool, { seller, drop_id, filename }: DropFileKey, tag: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ sha256: string }>(FIND.bind({ seller, drop_id, filename, tag }))
  return rows[0]?.sha256
}

/** Stores the hash of an object, in place of that of an earlier object with the same name. */
export async function keepHash(
  { pool }: Pool,
  { seller, drop_id, filename }: DropFileKey,
  { size, tag, sha256 }: { size: number; tag: string; sha256: string },
): Promise<void> {
  await pool.query(KEEP.bind({ seller, drop_id, filename, size, tag, sha256 }))
}

/** Reads the hash of a file whose object has this tag, or no row. */
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

import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The files that have landed in drops: what bounds a seller, and the hashes that were found, each for one object as its tag names it. */

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

/** Records that a file is landing or has landed; its hash is not known yet. */
export async function recordLanding({ pool }: Pool, { seller, drop_id, filename }: DropFileKey, size: number): Promise<void> {
  await pool.query(KEEP.bind({ seller, drop_id, filename, size, tag: null, sha256: null }))
}

/** What a seller has landed, for the bounds of a drop and of a day. */
export interface Landings {
  /** Other files of the drop, its manifest aside, and their bytes. */
  readonly files: number
  readonly bytes: number
  /** Other drops into which files have landed in the last 24 hours, if none has landed into this one. */
  readonly drops_today: number
}

export async function readLandings({ pool }: Pool, { seller, drop_id, filename }: DropFileKey): Promise<Landings> {
  const { rows } = await pool.query<{ files: number; bytes: string; drops_today: number }>(LANDINGS.bind({ seller, drop_id, filename }))
  const [row] = rows
  return { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0), drops_today: row?.drops_today ?? 0 }
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

/** Counts what has landed beside one file: always one row. */
const LANDINGS = statement(
  'read-drop-landings',
  ['seller', 'drop_id', 'filename'],
  `select count(*)::int as files, coalesce(sum(size), 0)::bigint as bytes,
      case when exists (select from drop_files f where f.seller = :seller and f.drop_id = :drop_id) then 0 else
        (select count(distinct f.drop_id)::int from drop_files f where f.seller = :seller and f.landed_at > now() - interval '1 day') end as drops_today
    from drop_files where seller = :seller and drop_id = :drop_id and filename not in (:filename, 'manifest.json')`,
)

import { arraysOf, namesOf, valuesOf } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { DropFileKey } from './dropFiles.ts'
import type { DropKey } from './drops.ts'

type Pool = Pick<Database, 'pool'>
type OldDrop = Pick<DropKey, 'seller' | 'drop_id'>

/** The days that files of drops are kept after they have landed and the drop's last run has ended; records are kept forever. */
export const KEPT_DAYS = 30
const KEPT = `interval '${KEPT_DAYS} days'`

/** Returns up to `limit` drops whose files may be deleted. */
export async function oldDrops({ pool }: Pool, limit: number): Promise<OldDrop[]> {
  return (await pool.query<OldDrop>(OLD.bind({ limit }))).rows
}

/** A file in the store that landed long ago. */
export interface OldFile extends Omit<DropFileKey, 'seller'> {
  readonly size: number
  readonly landed_at: string
}

/** Records old unknown files of a seller, which were put into the store without the service and which no manifest has named. */
export async function noteOldFiles({ pool }: Pool, seller: string, files: readonly OldFile[]): Promise<void> {
  if (files.length > 0) await pool.query(NOTE_OLD.bind({ seller, ...valuesOf(COLUMNS, files) }))
}

const COLUMNS = { drop_id: 'text', filename: 'text', size: 'bigint', landed_at: 'timestamptz' } as const

/** Records that the old files of a drop are deleted. */
export async function deleteOldLandings({ pool }: Pool, { seller, drop_id }: OldDrop): Promise<void> {
  await pool.query(FORGET_FILES.bind({ seller, drop_id }))
  await pool.query(FORGET_MANIFEST.bind({ seller, drop_id }))
}

/** Finds drops into which nothing has landed for long, and that no run has worked on since. */
const OLD = statement(
  'old-drops',
  ['limit'],
  `select seller, drop_id from (
      select seller, drop_id from drop_files where landed_at < now() - ${KEPT}
      union select seller, drop_id from landed_manifests where first_seen_at < now() - ${KEPT}
    ) old
    where not exists (select from drop_files f where f.seller = old.seller and f.drop_id = old.drop_id and f.landed_at > now() - ${KEPT})
      and not exists (
        select from landed_manifests m where m.seller = old.seller and m.drop_id = old.drop_id and m.first_seen_at > now() - ${KEPT})
      and not exists (
        select from drops d where d.seller = old.seller and d.drop_id = old.drop_id and (d.ended_at is null or d.ended_at > now() - ${KEPT}))
    limit :limit`,
)

/** Inserts files that are not recorded yet. */
const NOTE_OLD = statement(
  'note-old-drop-files',
  ['seller', ...namesOf(COLUMNS)],
  `insert into drop_files (seller, drop_id, filename, size, landed_at)
    select :seller, drop_id, filename, size, landed_at from unnest(${arraysOf(COLUMNS)}) as f(${namesOf(COLUMNS).join(', ')})
    on conflict (seller, drop_id, filename) do nothing`,
)

/** Deletes the rows of files that landed long ago. */
const FORGET_FILES = statement(
  'forget-drop-files',
  ['seller', 'drop_id'],
  `delete from drop_files where seller = :seller and drop_id = :drop_id and landed_at < now() - ${KEPT}`,
)

/** Deletes the row of a manifest that landed long ago. */
const FORGET_MANIFEST = statement(
  'forget-landed-manifest',
  ['seller', 'drop_id'],
  `delete from landed_manifests where seller = :seller and drop_id = :drop_id and first_seen_at < now() - ${KEPT}`,
)

import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { DropKey } from './drops.ts'

type Pool = Pick<Database, 'pool'>
type OldDrop = Pick<DropKey, 'seller' | 'drop_id'>

/** Files of drops are kept for so long after they have landed and the last run of the drop has ended; records are kept for ever. */
export const KEPT_DAYS = 30
const KEPT = `interval '${KEPT_DAYS} days'`

/** Up to `limit` drops whose files may be deleted. */
export async function oldDrops({ pool }: Pool, limit: number): Promise<OldDrop[]> {
  return (await pool.query<OldDrop>(OLD.bind({ limit }))).rows
}

/** The old files of a drop are deleted. */
export async function forgetLandings({ pool }: Pool, { seller, drop_id }: OldDrop): Promise<void> {
  await pool.query(FORGET_FILES.bind({ seller, drop_id }))
  await pool.query(FORGET_MANIFEST.bind({ seller, drop_id }))
}

/** Drops into which nothing has landed for long, and that no run has worked on since. */
const OLD = statement(
  'old-drops',
  ['limit'],
  `select seller, drop_id from (
      select seller, drop_id, landed_at as at from drop_files
      union all select seller, drop_id, first_seen_at from landed_manifests
    ) seen
    group by seller, drop_id having max(at) < now() - ${KEPT} and not exists (
      select from drops d where d.seller = seen.seller and d.drop_id = seen.drop_id and (d.ended_at is null or d.ended_at > now() - ${KEPT})
    )
    limit :limit`,
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

import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import type { DropFileKey } from './dropFiles.ts'

/** When files were last changed before they were sent, as clients have said. Each applies to one object, which its tag identifies. */

type Pool = Pick<Database, 'pool'>

export interface ClientTime {
  readonly tag: string
  /** In epoch milliseconds. */
  readonly changedAt: number
}

/** Returns the times of a drop's files, by file name. */
export async function readClientTimes(
  { pool }: Pool,
  { seller, drop_id }: Omit<DropFileKey, 'filename'>,
): Promise<Map<string, ClientTime>> {
  const { rows } = await pool.query<{ filename: string; tag: string; changed_at: string }>(READ.bind({ seller, drop_id }))
  return new Map(rows.map(({ filename, tag, changed_at }) => [filename, { tag, changedAt: Number(changed_at) }]))
}

/** Keeps the time of a file that has landed through the service; of another file it keeps none. */
export async function keepClientTime(
  { pool }: Pool,
  { seller, drop_id, filename }: DropFileKey,
  { tag, changedAt }: ClientTime,
): Promise<void> {
  await pool.query(KEEP.bind({ seller, drop_id, filename, tag, changed_at: changedAt }))
}

/** Reads the times of a drop's files, in epoch milliseconds as text. */
const READ = statement(
  'read-client-times',
  ['seller', 'drop_id'],
  `select filename, client_changed_tag as tag, (extract(epoch from client_changed_at) * 1000)::bigint as changed_at
    from drop_files where seller = :seller and drop_id = :drop_id and client_changed_tag is not null`,
)

/** Updates the row of a file, if there is one. */
const KEEP = statement(
  'keep-client-time',
  ['seller', 'drop_id', 'filename', 'tag', 'changed_at'],
  `update drop_files set client_changed_tag = :tag, client_changed_at = to_timestamp(:changed_at::float8 / 1000)
    where seller = :seller and drop_id = :drop_id and filename = :filename`,
)

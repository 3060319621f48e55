import type pg from 'pg'
import type { DropCounts, DropWarning, Manifest, MappedFile } from '../../contract/drop.ts'
import type { DropFileType, DropFormat, DropStage, DropStatus } from '../../contract/vocabulary/drops.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The runs of file drops. A drop_id has a run for each manifest that was registered under it; reads show the newest run. */

export interface DropKey {
  readonly seller: string
  readonly drop_id: string
  readonly run_no: number
}

/** A file of a run as it was when the manifest was registered. */
export interface DropRunFile {
  readonly filename: string
  readonly type: DropFileType
  readonly format: DropFormat
  readonly sha256: string
  /** The tag that changes if the object is replaced (`StoredObject.tag`). */
  readonly tag: string
  readonly size: number
  /** The mapping that the manifest names for it. */
  readonly mapping?: string | undefined
}

export interface DropRun extends DropKey {
  readonly registration: string
  readonly registered_at: string
  readonly schema_version: string
  readonly effective: Manifest['effective'] | null
  readonly files: readonly DropRunFile[]
  readonly identity: string | null
  readonly status: DropStatus
  readonly stage: DropStage
  readonly cursor_file: number
  readonly cursor_row: number
  readonly rows_written: number
  readonly rows_rejected: number
  readonly counts: DropCounts
  readonly warnings: readonly DropWarning[]
  /** The files that were read by a mapping. */
  readonly mapped: readonly MappedFile[]
  readonly error_count: number
  readonly stuck_reason: string | null
  readonly ended_at: string | null
  /** The run whose result this one replays. A replay has no work of its own, and ends with the original. */
  readonly replay_of_drop_id: string | null
  readonly replay_of_run_no: number | null
}

type Pool = Pick<Database, 'pool'>
type Client = Pick<pg.ClientBase, 'query'>

/** Returns the newest run of a drop; undefined if the seller has registered none under this id. */
export async function readDrop(
  { pool }: { pool: Client },
  seller: string,
  dropId: string,
): Promise<(DropRun & { result: string | null }) | undefined> {
  return oneRun(pool, READ.bind({ seller, drop_id: dropId }))
}

/** Returns one run of a drop. */
export async function readDropRun({ pool }: { pool: Client }, { seller, drop_id, run_no }: DropKey): Promise<DropRun | undefined> {
  return oneRun(pool, READ_RUN.bind({ seller, drop_id, run_no }))
}

/** Lists a seller's runs before `before` (a registration), newest first. */
export async function listDrops(
  { pool }: Pool,
  seller: string,
  { status, before, limit }: { status?: DropStatus | undefined; before?: string | undefined; limit: number },
): Promise<DropRun[]> {
  const { rows } = await pool.query<DropRow>(LIST.bind({ seller, status: status ?? null, before: before ?? null, limit }))
  return rows.map(runOf)
}

/** Columns that are read as text because they are bigint. */
type Counted = 'cursor_row' | 'rows_written' | 'rows_rejected' | 'error_count'
export type DropRow = Omit<DropRun, Counted> & Record<Counted, string> & { result?: string | null }

async function oneRun(client: Client, query: pg.QueryConfig): Promise<(DropRun & { result: string | null }) | undefined> {
  const { rows } = await client.query<DropRow>(query)
  const [row] = rows
  return row && { ...runOf(row), result: row.result ?? null }
}

/** Converts a row of `DROP_COLUMNS` to a run. */
export function runOf(row: DropRow): DropRun {
  return {
    ...row,
    cursor_row: Number(row.cursor_row),
    rows_written: Number(row.rows_written),
    rows_rejected: Number(row.rows_rejected),
    error_count: Number(row.error_count),
  }
}

export const DROP_COLUMNS = `seller, drop_id, run_no, registration::text, registered_at, schema_version, effective, files, identity, status, stage,
  cursor_file, cursor_row, rows_written, rows_rejected, counts, warnings, mapped, error_count, stuck_reason, ended_at, replay_of_drop_id, replay_of_run_no`

/** Reads the newest run of a drop, or no row. */
const READ = statement(
  'read-drop',
  ['seller', 'drop_id'],
  `select ${DROP_COLUMNS}, result from drops where seller = :seller and drop_id = :drop_id order by run_no desc limit 1`,
)

/** Reads one run, without its result, or no row. */
const READ_RUN = statement(
  'read-drop-run',
  ['seller', 'drop_id', 'run_no'],
  `select ${DROP_COLUMNS} from drops where seller = :seller and drop_id = :drop_id and run_no = :run_no`,
)

/** Reads a page of a seller's runs. Sorted by the number: the bare name would be the column of its text. */
const LIST = statement(
  'list-drops',
  ['seller', 'status', 'before', 'limit'],
  `select ${DROP_COLUMNS} from drops
    where seller = :seller and (:status::text is null or status = :status) and (:before::bigint is null or registration < :before::bigint)
    order by drops.registration desc limit :limit`,
)

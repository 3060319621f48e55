import type { PoolClient } from 'pg'
import type { DropCounts, DropError, DropWarning, MappedFile } from '../../contract/drop.ts'
import { type DropFileType, type DropStage, ERRORS_PER_DROP, WARNINGS_PER_DROP } from '../../contract/vocabulary/drops.ts'
import type { RowCounts } from '../../domain/drops/dropEntry.ts'
import type { DropHead } from '../../domain/drops/dropHead.ts'
import { batches } from '../connection/batches.ts'
import { arraysOf, JSON_TEXT, namesOf, valuesOf } from '../connection/columns.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { DROP_COLUMNS, type DropKey, type DropRow, type DropRun, runOf } from './drops.ts'

/** The run of a drop as its stages see it: each stage reads it, and moves it in the transaction that writes. */

type Client = Pick<PoolClient, 'query'>

/** A drop, identified as its workflow's argument identifies it. */
export interface DropName {
  readonly seller: string
  readonly drop_id: string
}

/** An open run, and the drop that must end before it. */
export type OpenRun = DropRun & Pick<DropHead, 'waits_for'>

/** Returns a drop's oldest open run that has its own work; undefined if there is none. */
export async function readOpenRun({ pool }: { pool: Client }, name: DropName): Promise<OpenRun | undefined> {
  const { rows } = await pool.query<DropRow & Pick<OpenRun, 'waits_for'>>(READ_OPEN.bind({ seller: name.seller, drop_id: name.drop_id }))
  const [row] = rows
  return row && { ...runOf(row), waits_for: row.waits_for }
}

/** Thrown when the run has moved since it was read: another attempt of its stage was faster. The transaction then writes nothing. */
export class RunMoved extends Error {
  override name = 'RunMoved'
}

/** A stage's end state of the run, and what it has written, refused and found since it read the run. */
export interface RunMove {
  readonly stage: DropStage
  readonly cursor_file: number
  readonly cursor_row: number
  readonly counts: DropCounts
  readonly errors: readonly DropError[]
  /** The number of all errors, which exceeds those listed if a reader has left some out. */
  readonly error_count: number
  readonly warnings: readonly DropWarning[]
  readonly mapped: readonly MappedFile[]
}

/**
 * Moves the run and keeps its errors, within the transaction that writes the stage's data. Throws RunMoved unless stage and cursor are
 * unchanged since they were read. Returns the run after the move.
 */
export async function moveRun<Run extends DropRun>(client: Client, run: Run, move: Partial<RunMove>): Promise<Run> {
  const { stage, cursor_file, cursor_row, counts = {}, errors = [], error_count = errors.length, warnings = [], mapped = [] } = move
  const written = sumOf(counts, 'rows_written')
  const rejected = sumOf(counts, 'rows_rejected')
  const moved = {
    stage: stage ?? run.stage,
    cursor_file: cursor_file ?? run.cursor_file,
    cursor_row: cursor_row ?? run.cursor_row,
    counts: addCounts(run.counts, counts),
    warnings: warnings.length === 0 ? run.warnings : [...run.warnings, ...warnings].slice(0, WARNINGS_PER_DROP),
    mapped: [...run.mapped, ...mapped],
    rows_written: run.rows_written + written,
    rows_rejected: run.rows_rejected + rejected,
    error_count: run.error_count + error_count,
    stuck_reason: null,
  }
  const { rowCount } = await client.query(
    MOVE.bind({
      ...keyOf(run),
      ...{ stage: run.stage, cursor_file: run.cursor_file, cursor_row: run.cursor_row },
      ...{ to_stage: moved.stage, to_file: moved.cursor_file, to_row: moved.cursor_row },
      ...{ rows_written: moved.rows_written, rows_rejected: moved.rows_rejected, error_count: moved.error_count },
      counts: JSON.stringify(moved.counts),
      warnings: warnings.length === 0 ? null : JSON.stringify(moved.warnings),
      mapped: mapped.length === 0 ? null : JSON.stringify(moved.mapped),
    }),
  )
  if (rowCount !== 1) throw new RunMoved(`the drop ${run.seller}/${run.drop_id} has moved on`)
  await keepErrors(client, run, errors)
  return { ...run, ...moved }
}

/** Stores the first errors of a run, after its earlier ones, until the run ends. */
async function keepErrors(client: Client, run: DropKey & Pick<DropRun, 'error_count'>, errors: readonly DropError[]): Promise<void> {
  const kept = errors.slice(0, Math.max(ERRORS_PER_DROP - run.error_count, 0))
  let after = run.error_count
  for (const some of batches(asJson(kept), ERRORS_PER_BATCH)) {
    await client.query(KEEP_ERRORS.bind({ ...keyOf(run), after, ...valuesOf(ERRORS, some) }))
    after += some.length
  }
}

/** Errors per statement. */
const ERRORS_PER_BATCH = 2_500
const ERRORS = { errors: JSON_TEXT } as const

function* asJson(errors: readonly DropError[]): Generator<{ errors: string }> {
  for (const error of errors) yield { errors: JSON.stringify(error) }
}

/** Puts the seller's next drop into the outbox, if one is waiting. */
export async function wakeNextDrop(client: Client, seller: string): Promise<void> {
  await client.query(WAKE_NEXT.bind({ seller }))
}

/** Records why a run's stage makes no progress. The next move removes the reason. */
export async function noteStuck({ pool }: Pick<Database, 'pool'>, run: DropKey, reason: string): Promise<void> {
  await pool.query(NOTE_STUCK.bind({ ...keyOf(run), reason }))
}

/** Puts every drop that has been first in line for a minute into the outbox, unless it is already there. Returns the number of drops. */
export async function sweepDrops({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rowCount } = await pool.query(SWEEP.bind({}))
  return rowCount ?? 0
}

function keyOf({ seller, drop_id, run_no }: DropKey): DropKey {
  return { seller, drop_id, run_no }
}

type MovedRows = NonNullable<DropCounts[DropFileType]>

function sumOf(counts: RunMove['counts'], of: keyof RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count[of], 0)
}

function addCounts(counts: DropCounts, more: RunMove['counts']): DropCounts {
  const added: DropCounts = { ...counts }
  for (const [type, { rows_written, rows_rejected, rows_unattached, rows_undecided }] of Object.entries(more) as [
    DropFileType,
    MovedRows,
  ][]) {
    const {
      rows_written: written = 0,
      rows_rejected: rejected = 0,
      rows_unattached: unattached = 0,
      rows_undecided: undecided = 0,
    } = counts[type] ?? {}
    added[type] = {
      rows_written: written + rows_written,
      rows_rejected: rejected + rows_rejected,
      ...(rows_unattached === undefined ? {} : { rows_unattached: unattached + rows_unattached }),
      ...(rows_undecided === undefined ? {} : { rows_undecided: undecided + rows_undecided }),
    }
  }
  return added
}

/** SQL: selects open runs that have their own work; a seller's first one comes first. */
const OPEN = `status = 'processing' and replay_of_drop_id is null`

/** Reads a drop's oldest open run with the drop that comes before it, or no row. */
const READ_OPEN = statement(
  'read-open-drop',
  ['seller', 'drop_id'],
  `select ${DROP_COLUMNS}, (
      select drop_id from drops f where f.seller = own.seller and f.registration < own.registration and ${OPEN} order by registration limit 1
    ) as waits_for
    from drops own where seller = :seller and drop_id = :drop_id and ${OPEN} order by registration limit 1`,
)

/**
 * Moves a run that is where the caller read it. Returns one row if it was. A run is checked once its catalog and cards are: they are written in
 * this transaction, so that its own products do not count as changed since.
 */
const MOVE = statement(
  'move-drop',
  [
    ...['seller', 'drop_id', 'run_no', 'stage', 'cursor_file', 'cursor_row', 'to_stage', 'to_file', 'to_row'],
    ...['rows_written', 'rows_rejected', 'error_count', 'counts', 'warnings', 'mapped'],
  ],
  `update drops set stage = :to_stage, cursor_file = :to_file, cursor_row = :to_row, rows_written = :rows_written, rows_rejected = :rows_rejected,
      error_count = :error_count, counts = :counts, warnings = coalesce(:warnings, warnings), mapped = coalesce(:mapped, mapped), stuck_reason = null,
      checked_at = case when stage = 'publish' then now() else checked_at end
    where seller = :seller and drop_id = :drop_id and run_no = :run_no and ${OPEN}
      and stage = :stage and cursor_file = :cursor_file and cursor_row = :cursor_row`,
)

/** Inserts errors of a run, numbered after its earlier ones. */
const KEEP_ERRORS = statement(
  'keep-drop-errors',
  ['seller', 'drop_id', 'run_no', 'after', ...namesOf(ERRORS)],
  `insert into drop_errors (seller, drop_id, run_no, n, file, row, error_code, field, value, message)
    select :seller, :drop_id, :run_no, :after::integer + e.place, e.error->>'file', (e.error->>'row')::bigint, e.error->>'error_code',
      e.error->>'field', e.error->'value', e.error->>'message'
    from unnest(${arraysOf(ERRORS)}) with ordinality as sent(text, place) cross join lateral (select text::json as error, sent.place) e`,
)

/** Wakes the first open drop of a seller. */
const WAKE_NEXT = statement(
  'wake-next-drop',
  ['seller'],
  `insert into outbox (kind, target)
    select 'drop', seller || '/' || drop_id from drops where seller = :seller and ${OPEN} order by registration limit 1`,
)

/** Records why a run is stuck. */
const NOTE_STUCK = statement(
  'note-stuck-drop',
  ['seller', 'drop_id', 'run_no', 'reason'],
  `update drops set stuck_reason = :reason
    where seller = :seller and drop_id = :drop_id and run_no = :run_no and ended_at is null and stuck_reason is distinct from :reason`,
)

/** SQL: selects the first open drop of each seller; each wakes the next. */
export const OPEN_DROPS = `select distinct on (seller) seller || '/' || drop_id as target from drops where ${OPEN} order by seller, registration`

/** Gives the first open drop of each seller an outbox row; the row count is their number. */
const SWEEP = statement(
  'sweep-drops',
  [],
  `insert into outbox (kind, target)
    select 'drop', target from (
      select distinct on (seller) seller || '/' || drop_id as target, registered_at from drops where ${OPEN} order by seller, registration
    ) first
    where registered_at < now() - interval '1 minute' and target not in (select target from outbox where kind = 'drop')`,
)

import type { DropCounts, DropError, DropResult, DropWarning, MappedFile } from '../../contract/drop.ts'
import {
  type DropOutcome,
  ERRORS_PER_DROP,
  MANIFEST_FILE,
  type ManifestWait,
  type ResultFile,
  WARNINGS_PER_DROP,
} from '../../contract/vocabulary/drops.ts'

/** The outcome of a run. `error_count` includes errors that are not listed. */
export interface EndedRun {
  readonly drop_id: string
  readonly registered_at: string
  readonly ended_at: string
  readonly rows_written: number
  readonly rows_rejected: number
  readonly counts: DropCounts
  readonly error_count: number
  readonly warnings: readonly DropWarning[]
  readonly mapped?: readonly MappedFile[]
}

/** Returns the result of an ended run (contract, File drops: result). */
export function dropResult({ error_count, warnings, mapped = [], ...run }: EndedRun, errors: readonly DropError[]): DropResult {
  const listed = errors.slice(0, ERRORS_PER_DROP)
  return {
    drop_id: run.drop_id,
    status: outcomeOf(run.rows_written, error_count),
    stage: 'ended',
    rows_written: run.rows_written,
    rows_rejected: run.rows_rejected,
    registered_at: run.registered_at,
    ended_at: run.ended_at,
    counts: run.counts,
    errors: listed,
    errors_truncated: error_count > listed.length,
    warnings: warnings.slice(0, WARNINGS_PER_DROP),
    ...(mapped.length === 0 ? {} : { mappings: [...mapped] }),
  }
}

/** A manifest.json that is neither registered nor refused yet. */
export interface WaitingManifest {
  readonly drop_id: string
  /** Null until its first check. */
  readonly waits_for: ManifestWait | null
  /** The errors of the result if the manifest were refused now. */
  readonly errors: readonly DropError[]
  readonly first_seen_at: string
}

/** Returns the result that is shown while a drop's manifest.json waits. */
export function waitingResult({ drop_id, waits_for, first_seen_at, errors }: WaitingManifest): DropResult {
  return {
    ...{
      drop_id,
      status: 'processing',
      stage: 'manifest',
      rows_written: 0,
      rows_rejected: 0,
      registered_at: first_seen_at,
      ended_at: null,
    },
    ...(waits_for === null ? {} : { reason: waits_for }),
    ...{ counts: {}, errors: [...errors], errors_truncated: false, warnings: [] },
  }
}

/** Returns the outcome of a run. `rejected`: nothing was written. */
export function outcomeOf(rowsWritten: number, errorCount: number): DropOutcome {
  if (errorCount === 0) return 'success'
  return rowsWritten > 0 ? 'partial' : 'rejected'
}

/** Returns the result of an earlier drop with the same files, under the name of the new drop, which has changed nothing: a warning says so. */
export function replayedResult(
  original: DropResult,
  { drop_id, registered_at }: Pick<DropResult, 'drop_id' | 'registered_at'>,
): DropResult {
  const replay_of = original.replay_of ?? original.drop_id
  const warning = {
    ...{ file: MANIFEST_FILE, row: 0, code: 'REPLAYED_RESULT' },
    message: `These files were processed as the drop ${replay_of}, whose result this is; nothing was written again. If later publishes have changed what they set, send the manifest with "reprocess": true.`,
  }
  return { ...original, drop_id, registered_at, replay_of, warnings: [warning, ...original.warnings].slice(0, WARNINGS_PER_DROP) }
}

export const ERROR_COLUMNS = ['file', 'row', 'field', 'error_code', 'value', 'message'] as const

/** Returns the errors of a result as rows for a person. The last one says so if there are more errors than are listed. */
export function errorRows({
  errors,
  errors_truncated,
}: Pick<DropResult, 'errors' | 'errors_truncated'>): Partial<Record<(typeof ERROR_COLUMNS)[number], string>>[] {
  const rows = errors.map(({ row, value, field = '', ...error }) => ({ ...error, row: String(row), field, value: cellOf(value) }))
  return errors_truncated ? [...rows, { message: `There are more errors than the ${errors.length} that are listed.` }] : rows
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the file in which a result lands (contract, File drops). */
export function resultFileOf({ status }: Pick<DropResult, 'status'>): ResultFile {
  return status === 'success' ? 'success.json' : 'errors.json'
}

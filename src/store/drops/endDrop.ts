import type { PoolClient } from 'pg'
import type { DropError, DropResult } from '../../contract/drop.ts'
import { ERRORS_PER_DROP } from '../../contract/vocabulary/drops.ts'
import { dropResult, replayedResult } from '../../domain/drops/dropResult.ts'
import { lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { type DropKey, readDropRun } from './drops.ts'

/**
 * Ends a run and its replays, with the result of its counts and errors, and returns its status; only the result then holds the errors.
 * Skips an ended run. The caller holds a transaction. `isUnread`: the files were not read, since they no longer match the registration. The
 * same files may then be registered again, and the first run that waited for the result gets its own work.
 */
export async function endDrop(client: Client, key: DropKey, { isUnread = false } = {}): Promise<DropResult['status'] | undefined> {
  // Taken so that a manifest of the same files waits, and then replays the ended run.
  await client.query(lockOn(`drops:${key.seller}`))
  const run = await readDropRun({ pool: client }, key)
  if (run === undefined || run.ended_at !== null) return undefined
  const errors = await client.query<ErrorRow>(ERRORS.bind({ ...key, max: ERRORS_PER_DROP }))
  const result = dropResult({ ...run, ended_at: new Date().toISOString() }, errors.rows.map(asError))
  await end(client, key, result, run.error_count, isUnread)
  await client.query(FORGET_ERRORS.bind(idOf(key)))
  const { rows: waiting } = await client.query<DropKey & { registered_at: string }>(REPLAYS.bind(idOf(key)))
  if (isUnread) await promote(client, waiting)
  else for (const replay of waiting) await end(client, replay, replayedResult(result, replay), run.error_count, false)
  return result.status
}

type Client = Pick<PoolClient, 'query'>

async function end(client: Client, key: DropKey, result: DropResult, error_count: number, is_unread: boolean): Promise<void> {
  await client.query(END.bind({ ...idOf(key), ...endOf(result), error_count, is_unread }))
}

async function promote(client: Client, [first, ...others]: readonly DropKey[]): Promise<void> {
  if (first === undefined) return
  await client.query(PROMOTE.bind(idOf(first)))
  for (const other of others)
    await client.query(FOLLOW.bind({ ...idOf(other), original_drop_id: first.drop_id, original_run_no: first.run_no }))
}

function idOf({ seller, drop_id, run_no }: DropKey): DropKey {
  return { seller, drop_id, run_no }
}

type ErrorRow = Omit<DropError, 'row' | 'field'> & { row: string; field: string | null }

function asError({ file, row, error_code, field, value, message }: ErrorRow): DropError {
  return { file, row: Number(row), error_code, ...(field === null ? {} : { field }), value, message }
}

function endOf(result: DropResult) {
  const { status, rows_written, rows_rejected, ended_at } = result
  return { status, rows_written, rows_rejected, ended_at, counts: JSON.stringify(result.counts), result: JSON.stringify(result) }
}

/** Reads the first errors of a run. */
const ERRORS = statement(
  'read-drop-errors',
  ['seller', 'drop_id', 'run_no', 'max'],
  `select file, row, error_code, field, value, message from drop_errors
    where seller = :seller and drop_id = :drop_id and run_no = :run_no order by n limit :max`,
)

/** Deletes the errors of a run. */
const FORGET_ERRORS = statement(
  'forget-drop-errors',
  ['seller', 'drop_id', 'run_no'],
  'delete from drop_errors where seller = :seller and drop_id = :drop_id and run_no = :run_no',
)

/** Reads the runs that wait for a run's result. */
const REPLAYS = statement(
  'read-drop-replays',
  ['seller', 'drop_id', 'run_no'],
  `select seller, drop_id, run_no, registered_at from drops
    where seller = :seller and replay_of_drop_id = :drop_id and replay_of_run_no = :run_no and ended_at is null order by registration`,
)

/** Ends a run. */
const END = statement(
  'end-drop',
  ['seller', 'drop_id', 'run_no', 'status', 'rows_written', 'rows_rejected', 'counts', 'error_count', 'result', 'ended_at', 'is_unread'],
  `update drops set status = :status, stage = 'ended', rows_written = :rows_written, rows_rejected = :rows_rejected, counts = :counts,
      error_count = :error_count, result = :result, ended_at = :ended_at, stuck_reason = null,
      identity = case when :is_unread then null else identity end
    where seller = :seller and drop_id = :drop_id and run_no = :run_no and ended_at is null`,
)

/** Turns a replay into a run with its own work, and wakes it. */
const PROMOTE = statement(
  'promote-drop',
  ['seller', 'drop_id', 'run_no'],
  `
  with promoted as (
    update drops set replay_of_drop_id = null, replay_of_run_no = null
    where seller = :seller and drop_id = :drop_id and run_no = :run_no and ended_at is null returning seller, drop_id
  )
  insert into outbox (kind, target) select 'drop', seller || '/' || drop_id from promoted`,
)

/** Makes a run replay another. */
const FOLLOW = statement(
  'follow-drop',
  ['seller', 'drop_id', 'run_no', 'original_drop_id', 'original_run_no'],
  `update drops set replay_of_drop_id = :original_drop_id, replay_of_run_no = :original_run_no
    where seller = :seller and drop_id = :drop_id and run_no = :run_no and ended_at is null`,
)

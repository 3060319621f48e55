import type { OpsHealth } from '../../contract/opsHealth.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

type Pool = Pick<Database, 'pool'>

/** What a worker reads in Temporal for operators. */
export interface EngineReport {
  readonly reachable: boolean
  readonly stuck: readonly { readonly order_id: string; readonly reason: string }[]
  readonly schedules: OpsHealth['temporal']['schedules']
}

/** Records that a worker is alive, and forgets those that were not seen for a day. */
export async function reportWorker({ pool }: Pool, workerId: string): Promise<void> {
  await pool.query(SEEN.bind({ worker_id: workerId }))
}

/** Forgets a worker that has stopped. */
export async function deleteWorker({ pool }: Pool, workerId: string): Promise<void> {
  await pool.query(FORGET.bind({ worker_id: workerId }))
}

/** Returns true if the caller must report on Temporal now: one worker does, every four seconds. */
export async function claimEngineReport({ pool }: Pool): Promise<boolean> {
  const { rowCount } = await pool.query(CLAIM.bind({}))
  return (rowCount ?? 0) > 0
}

/** Stores the report in place of the previous one. */
export async function saveEngineReport({ pool }: Pool, { reachable, stuck, schedules }: EngineReport): Promise<void> {
  await pool.query(SAVE.bind({ reachable, stuck: JSON.stringify(stuck), schedules: JSON.stringify(schedules) }))
}

/** Writes one row and deletes old ones. */
const SEEN = statement(
  'report-worker',
  ['worker_id'],
  `with old as (delete from workers where seen_at < now() - interval '1 day' and worker_id <> :worker_id)
  insert into workers (worker_id) values (:worker_id) on conflict (worker_id) do update set seen_at = now()`,
)
const FORGET = statement('forget-worker', ['worker_id'], 'delete from workers where worker_id = :worker_id')

/** Claims the report; the row count tells whether the claim succeeded. */
const CLAIM = statement(
  'claim-engine-report',
  [],
  `insert into engine_reports (only_one) values (true)
  on conflict (only_one) do update set claimed_at = now() where engine_reports.claimed_at < now() - interval '4 seconds'`,
)
const SAVE = statement(
  'save-engine-report',
  ['reachable', 'stuck', 'schedules'],
  `update engine_reports set reported_at = now(), reachable = :reachable, stuck = :stuck::jsonb, schedules = :schedules::jsonb`,
)

import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { Database } from '../src/store/connection/database.ts'
import { claimEngineReport, deleteWorker, type EngineReport, reportWorker, saveEngineReport } from '../src/store/ops/reports.ts'
import { inTime } from './inTime.ts'
import { readStuckRuns } from './readStuckRuns.ts'
import { type Repeated, repeat } from './repeat.ts'
import { SCHEDULE_IDS } from './schedules.ts'

interface ReportDeps {
  readonly db: Pick<Database, 'pool'>
  readonly client: Pick<Client, 'workflow' | 'schedule' | 'withDeadline'>
  /** Whether this worker reaches Temporal; if not, the report does not wait to find out. */
  readonly reachable?: () => boolean
  /** Milliseconds between two reports. */
  readonly pause?: number
}

/**
 * Reports to the database that this worker is alive, and in turn with other workers the state of Temporal, since the API has no connection
 * to Temporal. A worker that cannot reach Temporal reports that too.
 */
export function startHealthReport({ db, client, reachable = () => true, pause = 2_000 }: ReportDeps): Repeated {
  const workerId = randomUUID()
  const report = async () => {
    await reportWorker(db, workerId)
    if (await claimEngineReport(db)) await saveEngineReport(db, reachable() ? await readEngine(client) : AWAY)
  }
  // A failure means that the database is away, which other parts report.
  const reporting = repeat(pause, report, () => undefined)
  return {
    stop: async () => {
      await reporting.stop()
      await deleteWorker(db, workerId).catch(() => undefined)
    },
  }
}

/** Reads the state of Temporal; reports it as unreachable if any part cannot be read in time. */
async function readEngine(client: ReportDeps['client']): Promise<EngineReport> {
  try {
    const [stuck, schedules] = await inTime(client, CALL_MS, () =>
      Promise.all([readStuckRuns(client, MAX_STUCK), Promise.all(SCHEDULE_IDS.map((id) => readSchedule(client, id)))]),
    )
    const orders = stuck.flatMap(({ workflowId, reason }) => {
      const [, order_id] = /^order:(.{1,200})$/.exec(workflowId) ?? []
      return order_id === undefined ? [] : [{ order_id, reason }]
    })
    return { reachable: true, stuck: orders, schedules: schedules.flatMap((one) => one ?? []) }
  } catch {
    return AWAY
  }
}

const AWAY: EngineReport = { reachable: false, stuck: [], schedules: [] }

const MAX_STUCK = 500
/** Keeps a hanging Temporal from stopping the report that this worker is alive. */
const CALL_MS = 3_000

/** Returns undefined if the server has no such schedule, or no schedules at all. */
async function readSchedule(
  { schedule }: ReportDeps['client'],
  scheduleId: string,
): Promise<EngineReport['schedules'][number] | undefined> {
  const found = await schedule
    .getHandle(scheduleId)
    .describe()
    .catch(() => undefined)
  if (found === undefined) return undefined
  const { state, info } = found
  return {
    schedule_id: scheduleId,
    paused: state.paused,
    last_at: info.recentActions.at(-1)?.takenAt.toISOString() ?? null,
    next_at: info.nextActionTimes[0]?.toISOString() ?? null,
  }
}

import { ApplicationFailure, log as activityLog, cancellationSignal } from '@temporalio/activity'
import type { DropHead } from '../src/domain/drops/dropHead.ts'
import { fetchDrop } from '../src/operations/drops/fetchDrop.ts'
import { finishDrop } from '../src/operations/drops/finishDrop.ts'
import { mergeDropAvails } from '../src/operations/drops/mergeDropAvails.ts'
import { publishDrop } from '../src/operations/drops/publishDrop.ts'
import { type StageDeps, StageStuck } from '../src/operations/drops/stage.ts'
import { storeDropPosts } from '../src/operations/drops/storeDropPosts.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type DropName, noteStuck, readOpenRun } from '../src/store/drops/dropRun.ts'
import { beating } from './beating.ts'
import { classified } from './orders.ts'

export type DropLookActivities = ReturnType<typeof dropLookActivities>
export type DropActivities = ReturnType<typeof dropActivities>

/** The read with which a drop's workflow finds its place. */
export function dropLookActivities({ db }: { db: Database }) {
  return {
    /** Returns the position of the drop's oldest open run; null when there is none. */
    lookAtDrop: (target: string): Promise<DropHead | null> =>
      classified(async () => {
        const run = await readOpenRun(db, nameOf(target))
        if (run === undefined) return null
        const { seller, drop_id, run_no, stage, waits_for, registered_at, cursor_file, cursor_row } = run
        const { rows_written, rows_rejected, stuck_reason } = run
        return {
          ...{ seller, drop_id, run_no, stage, waits_for, registered_at, cursor_file, cursor_row },
          ...{ rows_written, rows_rejected, stuck_reason },
        }
      }),
  }
}

/** The stages of a drop. Each continues where the run is, and does nothing when the run is at another stage. */
export function dropActivities(deps: StageDeps) {
  const stage =
    (work: (deps: StageDeps, name: DropName, signal: AbortSignal) => Promise<void>) =>
    async (target: string): Promise<void> => {
      const name = nameOf(target)
      try {
        await beating(() => work(deps, name, cancellationSignal()).catch(classifyStuck))
      } catch (error) {
        await noteReason(deps.db, name, (error as ApplicationFailure).type ?? 'unexpected')
        throw error
      }
    }
  return {
    fetchDrop: stage(fetchDrop),
    publishDrop: stage(publishDrop),
    mergeDropAvails: stage(mergeDropAvails),
    storeDropPosts: stage(storeDropPosts),
    finishDrop: stage(finishDrop),
  }
}

/** Splits the target, from which the id of a drop's run in Temporal is made. */
function nameOf(target: string): DropName {
  const [seller = '', drop_id = ''] = target.split('/')
  return { seller, drop_id }
}

function classifyStuck(error: unknown): never {
  if (!(error instanceof StageStuck)) throw error
  activityLog.warn('a stage of a drop cannot get on', { reason: error.reason, error: error.cause })
  throw ApplicationFailure.create({ message: 'see the log of the worker', type: error.reason })
}

/** Records the reason, which the seller reads with the drop's status. Ignores failures, since the database itself may be unavailable. */
async function noteReason(db: Database, name: DropName, reason: string): Promise<void> {
  const run = await readOpenRun(db, name).catch(() => undefined)
  if (run !== undefined) await noteStuck(db, run, reason).catch(() => undefined)
}

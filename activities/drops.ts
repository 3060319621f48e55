import { ApplicationFailure, log as activityLog, cancellationSignal } from '@temporalio/activity'
import type { DropHead } from '../src/domain/drops/dropHead.ts'
import { fetchDrop } from '../src/drops/fetchDrop.ts'
import { finishDrop } from '../src/drops/finishDrop.ts'
import { mergeDropAvails } from '../src/drops/mergeDropAvails.ts'
import { publishDrop } from '../src/drops/publishDrop.ts'
import { type StageDeps, StageStuck } from '../src/drops/stage.ts'
import { storeDropPosts } from '../src/drops/storeDropPosts.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type DropName, noteStuck, readOpenRun } from '../src/store/drops/dropRun.ts'
import { beating } from './beating.ts'
import { classified } from './orders.ts'

export type DropLookActivities = ReturnType<typeof dropLookActivities>
export type DropActivities = ReturnType<typeof dropActivities>

/** What the workflow of a drop reads. */
export function dropLookActivities({ db }: { db: Database }) {
  return {
    /** Returns where the oldest open run of the drop is; null when there is none. */
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

/** The stages of a drop. Each begins where the run is, and does nothing when the run is elsewhere. */
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

/** The id of a drop's run on the engine is made of these two. */
function nameOf(target: string): DropName {
  const [seller = '', drop_id = ''] = target.split('/')
  return { seller, drop_id }
}

function classifyStuck(error: unknown): never {
  if (!(error instanceof StageStuck)) throw error
  activityLog.warn('a stage of a drop cannot get on', { reason: error.reason, error: error.cause })
  throw ApplicationFailure.create({ message: 'see the log of the worker', type: error.reason })
}

/** The seller reads it with the drop's status. The database may be what is away. */
async function noteReason(db: Database, name: DropName, reason: string): Promise<void> {
  const run = await readOpenRun(db, name).catch(() => undefined)
  if (run !== undefined) await noteStuck(db, run, reason).catch(() => undefined)
}

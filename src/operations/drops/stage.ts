import type { ObjectStorage } from '../../adapters/files/objectStorage/storage.ts'
import { isFull } from '../../adapters/files/objectStorage/storageFault.ts'
import type { DropStage } from '../../contract/vocabulary/drops.ts'
import type { StageStuckReason } from '../../contract/vocabulary/stuck.ts'
import type { Database } from '../../store/connection/database.ts'
import { type DropName, type OpenRun, RunMoved, readOpenRun } from '../../store/drops/dropRun.ts'
import type { Spool } from './spool.ts'

/** The dependencies of publishing the files of a drop that are in the spool. */
export interface PublishDeps {
  db: Database
  readonly spool: Spool
  /** The most products that a seller may have, not counting withdrawn ones. */
  readonly productsPerSeller: number
}

/** The dependencies of the stages of a drop. */
export interface StageDeps extends PublishDeps {
  drops: ObjectStorage
}

/** A stage cannot continue for a reason that is not in the drop, and is retried. `reason` is a word for operators. */
export class StageStuck extends Error {
  override name = 'StageStuck'
  readonly reason: StageStuckReason

  constructor(reason: StageStuckReason, cause?: unknown) {
    super(`the stage of a drop cannot get on: ${reason}`, { cause })
    this.reason = reason
  }
}

/**
 * Runs a stage of a drop if the drop is at it. A late duplicate, whose stage or slice another attempt has written, ends without an error,
 * since its transaction has written nothing.
 */
export async function atStage(db: Database, name: DropName, stage: DropStage, work: (run: OpenRun) => Promise<void>): Promise<void> {
  const run = await readOpenRun(db, name)
  if (run === undefined || run.stage !== stage || run.waits_for !== null) return
  try {
    await work(run)
  } catch (error) {
    if (error instanceof RunMoved) return
    throw isFull(error) ? new StageStuck('disk_full', error) : error
  }
}

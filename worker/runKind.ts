import type { Client } from '@temporalio/client'
import type { Database } from '../src/store/connection/database.ts'
import type { OutboxRow } from '../src/store/orders/outbox.ts'
import { type Queue, type WorkflowName, wake } from '../workflows/messages.ts'

/** A kind of run: its workflow, how the outbox wakes it, and how runs left behind by a lost signal are found. */
export interface RunKind {
  /** The kind of its outbox rows, which the store writes together with the change that the run must handle. */
  readonly kind: string
  readonly workflow: WorkflowName
  /** The task queue of its workflow. */
  readonly queue: Queue
  /** The first part of a run's id; the second is the id of its subject. The id is derived, so that two starts make one run. */
  readonly idPrefix: string
  /** Wakes the run of rows with one target, and starts it if needed. Waking it twice does no harm. Fails with the errors of the Temporal client. */
  readonly wake: (deps: WakeDeps, rows: Rows, run: RunKind) => Promise<void>
  /** Adds everything that should have moved a minute ago to the outbox, unless it is already there; returns how many rows it added. */
  readonly sweep: (db: Database) => Promise<number>
  /** SQL: selects, as `target`, the subjects whose run has work left, now or later. They all get a run when Temporal has lost its runs. */
  readonly open: string
  /** Names what a sweep finds, for the log. */
  readonly stuck: string
}

/** The rows of one target that are carried together, in the order of their commits. */
export type Rows = readonly [OutboxRow, ...OutboxRow[]]

/** Returns the newest of these rows, whose order's head is the latest. */
export function newestOf(rows: Rows): OutboxRow {
  return rows.at(-1) ?? rows[0]
}

export interface WakeDeps {
  readonly client: Client
  readonly db: Database
  /**
   * Whether the reply to a start gives the first task to this process's worker: five milliseconds instead of forty-five. False for a worker
   * of a release, since Temporal decides which release gets the run.
   */
  readonly startsEagerly: boolean
}

/** How long a task of a dead worker is lost before it is tried again; a longer step sends heartbeats. */
const TASK_TIMEOUT = '5 s'

/** Returns the options that every start of a run needs. */
export function startOptions({ idPrefix, queue }: RunKind, target: string) {
  return { workflowId: `${idPrefix}:${target}`, taskQueue: queue, args: [target] as [string], workflowTaskTimeout: TASK_TIMEOUT }
}

/** Wakes most kinds of runs: signals the run, or starts it if there is none. A superfluous run finds nothing to do and ends. */
export const wakeOrStart: RunKind['wake'] = async ({ client }, [{ target }], run) => {
  await client.workflow.signalWithStart(run.workflow, {
    ...startOptions(run, target),
    signal: wake,
    signalArgs: [],
    staticSummary: `${run.kind} ${target}`,
  })
}

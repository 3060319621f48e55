import type { Client } from '@temporalio/client'
import type { WebhookDispatcher } from '../activities/deliveries.ts'
import type { Validated } from '../src/domain/order/head.ts'
import type { Database } from '../src/store/connection/database.ts'
import type { OutboxRow } from '../src/store/orders/outbox.ts'
import { type Queue, type WorkflowName, wake } from '../workflows/messages.ts'

/** A kind of run: which workflow it is, how the outbox wakes it, and how runs are found that a lost signal left behind. */
export interface RunKind {
  /** The kind of its rows in the outbox, which the store writes with what the run is to look at. */
  readonly kind: string
  readonly workflow: WorkflowName
  /** Where its workflow tasks wait. */
  readonly queue: Queue
  /** The first part of a run's id; the second is the id of what the run is about. Derived, so that two starts make one run. */
  readonly idPrefix: string
  /** Makes the run of a row look, and starts it if needed. Waking it twice does no harm. Fails as the Temporal client does. */
  readonly wake: (deps: WakeDeps, row: ReadyRow, run: RunKind) => Promise<void>
  /** Takes the first step of a run in this process, before the engine is asked. Never fails: the run takes the step that is not taken. */
  readonly prepare?: (deps: Pick<WakeDeps, 'validate'>, row: OutboxRow) => Promise<ReadyRow>
  /** Does what a row is about in this process, if it can, and says what is left to do: then no run need be woken. */
  readonly work?: (deps: Pick<WakeDeps, 'dispatcher'>, row: OutboxRow) => Promise<Left> | undefined
  /** Adds everything that should have moved a minute ago to the outbox, unless it is already there; returns how many. */
  readonly sweep: (db: Database) => Promise<number>
  /** What a sweep finds, for the log. */
  readonly stuck: string
}

/** A row with what its run need not do. */
export type ReadyRow = OutboxRow & {
  /** The head of a new order after its validation. */
  readonly validated?: Validated | undefined
}

/** Nothing; the row is to be claimed again after so many milliseconds; or its run is to be woken after all. */
export type Left = 'nothing' | 'wake' | { readonly again: number }

export interface WakeDeps {
  readonly client: Client
  readonly db: Database
  /** Validates a new order in this process; its events come about in a trace, if there is one. */
  readonly validate?: ((orderId: string, trace?: string) => Promise<Validated>) | undefined
  /** Sends to endpoints in this process. */
  readonly dispatcher?: Pick<WebhookDispatcher, 'wake' | 'send'> | undefined
  /**
   * Whether the reply to a start hands the first task to the worker of this process: five milliseconds against forty-five. Not in a worker of a release,
   * where Temporal decides which release has the run.
   */
  readonly startsEagerly: boolean
}

/** How long a workflow task is lost that a dying worker was working on; a step that takes longer says so to the engine in time. */
const TASK_TIMEOUT = '5 s'

/** What every start of a run has in common. */
export function startOptions({ idPrefix, queue }: RunKind, target: string) {
  return { workflowId: `${idPrefix}:${target}`, taskQueue: queue, args: [target] as [string], workflowTaskTimeout: TASK_TIMEOUT }
}

/** The wake that fits most kinds: signals the run and starts it where there is none. A run started once too often finds nothing to do and ends. */
export const wakeOrStart: RunKind['wake'] = async ({ client }, { target }, run) => {
  await client.workflow.signalWithStart(run.workflow, {
    ...startOptions(run, target),
    signal: wake,
    signalArgs: [],
    staticSummary: `${run.kind} ${target}`,
  })
}

import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type WorkflowStartOptions } from '@temporalio/client'
import type { OrderHead, Validated } from '../src/domain/order/head.ts'
import { type OpenSpan, tracedIn } from '../src/metrics/tracing.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import { wake } from '../workflows/messages.ts'
import { firstAttributesOf } from '../workflows/searchAttributes.ts'
import { type RunKind, startOptions, type WakeDeps } from './runKind.ts'

/** Validates a new order, so that its run starts in the waiting state. If that fails, the run tries again and shows operators why. */
export const validateFirst: NonNullable<RunKind['prepare']> = async ({ validate }, row) => {
  if (validate === undefined || row.head?.status !== 'submitted') return row
  const { order_id } = row.head
  const step = { name: 'step validate', attributes: { 'marketplace.order_id': order_id } }
  const inStep = (span?: OpenSpan) => validate(order_id, span?.traceparent ?? row.traceparent ?? undefined)
  return { ...row, validated: await tracedIn(row.traceparent, step, inStep).catch(() => undefined) }
}

/**
 * Makes an order's run read the log: starts it for a new order, signals it for any other. A missing run is started again, unless the log
 * says that the order is finished: often the run has seen the decision and closed before its signal arrives.
 */
export const wakeOrder: RunKind['wake'] = async (deps, { head, validated }, run) => {
  if (head === undefined) return // the log has no such order
  if (validated !== undefined) return startValidated(deps, validated, run)
  if (head.status === 'submitted') return startRun(deps, head, run)
  const { workflowId } = startOptions(run, head.order_id)
  try {
    await deps.client.workflow.getHandle(workflowId).signal(wake)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    await wakeUnlessClosed(deps, head, run)
  }
}

/** Starts an order's first run with its current head. If an earlier run may have seen more, starts one that reads the log instead. */
async function startValidated(deps: WakeDeps, head: Validated, run: RunKind): Promise<void> {
  try {
    await startRun(deps, head, run, { args: [head.order_id, head], workflowIdReusePolicy: 'REJECT_DUPLICATE' })
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    await wakeUnlessClosed(deps, head, run)
  }
}

/** Starts and signals in one call, since a run that has begun meanwhile with an outdated head must read the log. */
async function wakeUnlessClosed({ client, db }: WakeDeps, { order_id }: OrderHead, run: RunKind): Promise<void> {
  const now = await readHead(db, order_id)
  if (now === undefined || now.closed) return
  await client.workflow.signalWithStart(run.workflow, { ...optionsOf(now, run), signal: wake, signalArgs: [] })
}

async function startRun(
  { client, startsEagerly }: WakeDeps,
  head: OrderHead,
  run: RunKind,
  first: Pick<WorkflowStartOptions, 'args' | 'workflowIdReusePolicy'> = {},
): Promise<void> {
  const options = { ...optionsOf(head, run), workflowIdConflictPolicy: 'USE_EXISTING', requestEagerStart: startsEagerly } as const
  await client.workflow.start(run.workflow, { ...options, ...first })
}

function optionsOf(head: OrderHead, run: RunKind) {
  const summary = `${head.workflow} order ${head.order_id}`
  return { ...startOptions(run, head.order_id), typedSearchAttributes: firstAttributesOf(head), staticSummary: summary }
}

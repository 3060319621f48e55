import { WorkflowNotFoundError } from '@temporalio/client'
import type { OrderHead } from '../src/domain/order/head.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import { wake } from '../workflows/messages.ts'
import { lastingAttributesOf } from '../workflows/searchAttributes.ts'
import { type RunKind, startOptions, type WakeDeps } from './runKind.ts'

/**
 * Makes an order's run read the log: starts it for a new order, signals it for any other. A missing run is started again, unless the log
 * says that the order is finished: often the run has seen the decision and closed before its signal arrives.
 */
export const wakeOrder: RunKind['wake'] = async (deps, { head }, run) => {
  if (head === undefined) return // the log has no such order
  if (head.status === 'submitted') return startRun(deps, head, run)
  const { workflowId } = startOptions(run, head.order_id)
  try {
    await deps.client.workflow.getHandle(workflowId).signal(wake)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    await wakeUnlessClosed(deps, head, run)
  }
}

async function startRun({ client, startsEagerly }: WakeDeps, head: OrderHead, run: RunKind): Promise<void> {
  const options = { ...optionsOf(head, run), workflowIdConflictPolicy: 'USE_EXISTING', requestEagerStart: startsEagerly } as const
  await client.workflow.start(run.workflow, options)
}

/** Starts and signals in one call, since another run may have begun meanwhile, which must look again. */
async function wakeUnlessClosed({ client, db }: WakeDeps, { order_id }: OrderHead, run: RunKind): Promise<void> {
  const now = await readHead(db, order_id)
  if (now === undefined || now.closed) return
  await client.workflow.signalWithStart(run.workflow, { ...optionsOf(now, run), signal: wake, signalArgs: [] })
}

function optionsOf(head: OrderHead, run: RunKind) {
  const summary = `${head.workflow} order ${head.order_id}`
  return { ...startOptions(run, head.order_id), typedSearchAttributes: lastingAttributesOf(head), staticSummary: summary }
}

import { WorkflowNotFoundError } from '@temporalio/client'
import type { OrderHead } from '../src/domain/order/head.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import { wake } from '../workflows/messages.ts'
import { firstAttributesOf } from '../workflows/searchAttributes.ts'
import { type RunKind, startOptions, type WakeDeps } from './runKind.ts'

/**
 * Makes an order's run look at the log: starts it for a new order, signals it for any other. A run that is gone is started again, unless the log says
 * by now that all is done: often the run has seen the decision before its signal comes, and has closed.
 */
export const wakeOrder: RunKind['wake'] = async (deps, { head }, run) => {
  if (head === undefined) return // the log knows no such order
  const { client, db } = deps
  if (head.status === 'submitted') return startRun(deps, head, run)
  const { workflowId } = startOptions(run, head.order_id)
  try {
    await client.workflow.getHandle(workflowId).signal(wake)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    const now = await readHead(db, head.order_id)
    if (now !== undefined && !now.closed) await startRun(deps, now, run)
  }
}

async function startRun({ client, startsEagerly }: WakeDeps, head: OrderHead, run: RunKind): Promise<void> {
  await client.workflow.start(run.workflow, {
    ...startOptions(run, head.order_id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    requestEagerStart: startsEagerly,
    typedSearchAttributes: firstAttributesOf(head),
    staticSummary: `${head.workflow} order ${head.order_id}`,
  })
}

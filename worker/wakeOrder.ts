import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { OrderHead } from '../src/domain/order/head.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import { wake } from '../workflows/messages.ts'
import { firstAttributesOf } from '../workflows/searchAttributes.ts'
import { type RunKind, startOptions } from './runKind.ts'

/**
 * Makes an order's run look at the log: starts it for a new order, signals it for any other. A run that is gone is started again, unless the log says
 * by now that all is done: often the run has seen the decision before its signal comes, and has closed.
 */
export const wakeOrder: RunKind['wake'] = async ({ client, db }, { head }, run) => {
  if (head === undefined) return // the log knows no such order
  if (head.status === 'submitted') return startRun(client, head, run)
  const { workflowId } = startOptions(run, head.order_id)
  try {
    await client.workflow.getHandle(workflowId).signal(wake)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    const now = await readHead(db, head.order_id)
    if (now !== undefined && !now.closed) await startRun(client, now, run)
  }
}

async function startRun(client: Client, head: OrderHead, run: RunKind): Promise<void> {
  await client.workflow.start(run.workflow, {
    ...startOptions(run, head.order_id),
    workflowIdConflictPolicy: 'USE_EXISTING',
    // Hands the first task to the worker of this process in the reply: five milliseconds against forty-five.
    requestEagerStart: true,
    typedSearchAttributes: firstAttributesOf(head),
    staticSummary: `${head.workflow} order ${head.order_id}`,
  })
}

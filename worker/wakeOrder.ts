import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { OrderHead } from '../src/domain/order/head.ts'
import type { Database } from '../src/store/connection/database.ts'
import { readHead } from '../src/store/orders/orderHead.ts'
import { wake } from '../workflows/messages.ts'
import { firstAttributesOf } from '../workflows/searchAttributes.ts'

export const ORDERS_QUEUE = 'orders'

/** How long a task of a run that a dying worker had in its hands is lost; a step that takes longer says so to the engine in time. */
export const TASK_TIMEOUT = '5 s'

export function workflowIdOf(orderId: string): string {
  return `order:${orderId}`
}

/**
 * Makes an order's run look at the log: starts it for a new order, signals it for any other. A run that is gone is started anew, unless the log says
 * by now that all is done: often the run has seen the decision before its signal comes, and has closed. Fails as the Temporal client does.
 */
export async function wakeOrder({ client, db }: { client: Client; db: Pick<Database, 'pool'> }, head: OrderHead): Promise<void> {
  if (head.status === 'submitted') return startRun(client, head)
  try {
    await client.workflow.getHandle(workflowIdOf(head.order_id)).signal(wake)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    const now = await readHead(db, head.order_id)
    if (now !== undefined && !now.settled) await startRun(client, now)
  }
}

async function startRun(client: Client, head: OrderHead): Promise<void> {
  await client.workflow.start('orderWorkflow', {
    workflowId: workflowIdOf(head.order_id),
    taskQueue: ORDERS_QUEUE,
    args: [head.order_id],
    workflowTaskTimeout: TASK_TIMEOUT,
    workflowIdConflictPolicy: 'USE_EXISTING',
    // Hands the first task to the worker of this process in the reply: five milliseconds against forty-five.
    requestEagerStart: true,
    typedSearchAttributes: firstAttributesOf(head),
    staticSummary: `${head.workflow} order ${head.order_id}`,
  })
}

import type { Client } from '@temporalio/client'
import { wake } from '../workflows/messages.ts'
import { ORDERS_QUEUE, TASK_TIMEOUT } from './wakeOrder.ts'

/** Makes a hold's run look; starts it where there is none. One that is started once too often finds nothing to do and ends. */
export async function wakeHold(client: Client, holdId: string): Promise<void> {
  await client.workflow.signalWithStart('holdWorkflow', {
    workflowId: `hold:${holdId}`,
    taskQueue: ORDERS_QUEUE,
    args: [holdId],
    workflowTaskTimeout: TASK_TIMEOUT,
    signal: wake,
    signalArgs: [],
    staticSummary: `hold ${holdId}`,
  })
}

import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client'
import type { WebhookDispatcher } from '../activities/deliveries.ts'
import { wake } from '../workflows/messages.ts'
import { ORDERS_QUEUE, TASK_TIMEOUT } from './wakeOrder.ts'

/**
 * Makes an endpoint's deliveries be looked at: by whoever works on them in this process, else by their run, which is started when there is none. A
 * worker that dies with them in its hands fails its activity, and the next try finds them in the database.
 */
export async function wakeEndpoint(client: Client, office: Pick<WebhookDispatcher, 'ring'> | undefined, endpointId: string): Promise<void> {
  if (office?.ring(endpointId)) return
  const workflowId = `deliver:${endpointId}`
  const signal = () => client.workflow.getHandle(workflowId).signal(wake)
  try {
    await signal()
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    await client.workflow
      .start('deliverWorkflow', {
        workflowId,
        taskQueue: ORDERS_QUEUE,
        args: [endpointId],
        workflowTaskTimeout: TASK_TIMEOUT,
        workflowIdConflictPolicy: 'FAIL',
        requestEagerStart: true, // as for orders: the first task comes with the reply
        staticSummary: `deliveries to ${endpointId}`,
      })
      .catch((taken) => {
        if (!(taken instanceof WorkflowExecutionAlreadyStartedError)) throw taken
        return signal() // somebody was quicker, and may have looked already
      })
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'

/** Makes a namespace, and waits until the server serves it. */
export async function makeNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address })
  try {
    await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') })
    // It is served once every part of the server has read the list of namespaces again.
    for (;;) {
      try {
        await connection.workflowService.listOpenWorkflowExecutions({ namespace, maximumPageSize: 1 })
        return
      } catch (error) {
        if (!isGrpcServiceError(error)) throw error
        await sleep(200)
      }
    }
  } finally {
    await connection.close()
  }
}

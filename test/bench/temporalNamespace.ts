import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { countWaitingTasks } from '../../worker/polling.ts'

/** Waits until the queue has been empty for a second, since tasks under way, which its backlog does not count, may cause others. */
export async function untilQueueIsEmpty(address: string, queue: string): Promise<void> {
  const connection = await Connection.connect({ address })
  try {
    for (let empty = 0; empty < 2; ) {
      empty = (await countWaitingTasks(connection, { namespace: 'default', queue })) === 0 ? empty + 1 : 0
      await sleep(1_000)
    }
  } finally {
    await connection.close()
  }
}

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

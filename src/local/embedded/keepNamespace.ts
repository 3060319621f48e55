import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'

/**
 * Registers the namespace of an embedded Temporal again whenever somebody has deleted it; the workers set it up. Looks every two seconds,
 * and ignores a Temporal that is away, which `keepEngine` starts again.
 */
export function keepNamespace(address: string, namespace: string, onProgress: (text: string) => void): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const connection = Connection.lazy({ address })
  const look = async (): Promise<void> => {
    const { workflowService } = connection
    try {
      await connection.withDeadline(Date.now() + CALL_MS, () => workflowService.describeNamespace({ namespace }))
    } catch (error) {
      if (!isGrpcServiceError(error) || error.code !== NOT_FOUND) return
      await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION })
      onProgress(`Temporal had lost its namespace ${namespace}, which is registered again.`)
    }
  }
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look().catch(() => undefined)
      await sleep(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await looking
      await connection.close()
    },
  }
}

const LOOK_MS = 2_000
const CALL_MS = 3_000
/** A status code of gRPC. */
const NOT_FOUND = 5
/** As long as the development server keeps the runs of a namespace that it registers itself. */
const RETENTION = { seconds: 86_400 } as never

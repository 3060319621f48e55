import type { Client } from '@temporalio/client'
import { TEMPORAL_REACHABLE } from '../src/metrics/work.ts'
import { repeat } from './repeat.ts'
import { grpcCode, NOT_FOUND } from './temporalErrors.ts'

export interface TemporalWatch {
  /** Whether Temporal answered the last look and knows the namespace; true before the first. */
  reachable(): boolean
  stop(): Promise<void>
}

interface WatchDeps {
  readonly client: Pick<Client, 'workflowService' | 'options' | 'withAbortSignal'>
  /** Milliseconds between two looks. */
  readonly pause?: number
  readonly logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

/**
 * Looks every two seconds whether this worker reaches Temporal, and whether Temporal knows its namespace, and shows it as
 * `temporal_reachable`. A namespace is looked up in Temporal's store, since its services answer for one that is gone for a while.
 */
export function watchTemporal({ client, pause = 2_000, logger }: WatchDeps): TemporalWatch {
  const { namespace } = client.options
  let reachable = true
  const look = async () => {
    const fault = await client
      .withAbortSignal(AbortSignal.timeout(CALL_MS), () => client.workflowService.describeNamespace({ namespace }))
      .then(
        () => undefined,
        (error) => error,
      )
    TEMPORAL_REACHABLE.set(fault === undefined ? 1 : 0)
    if (reachable === (fault === undefined)) return
    reachable = fault === undefined
    if (reachable) logger.info('Temporal answers again')
    else if (grpcCode(fault) === NOT_FOUND) logger.warn(`Temporal does not know the namespace ${namespace}`, { namespace })
    else logger.warn('Temporal does not answer', { error: fault })
  }
  const looking = repeat(pause, look, () => undefined)
  return { reachable: () => reachable, stop: () => looking.stop() }
}

/** The longest that one look waits, the connection's own retries included, so that a restart of one server raises no alert. */
const CALL_MS = 3_000

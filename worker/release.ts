import type { NativeConnection, WorkerOptions } from '@temporalio/worker'
import type { Logger } from 'pino'
import { ReleaseFault } from '../src/adapters/temporal/releaseFault.ts'
import { currentRelease, DEPLOYMENT, makeCurrent } from '../src/adapters/temporal/workerReleases.ts'
import type { Config } from '../src/config/index.ts'
import { isUnreachable } from './temporalErrors.ts'
import { whenReachable } from './whenReachable.ts'

/**
 * Makes a worker part of a release. A run of any kind moves to the current release with its next task, since all runs read the log and
 * continue from there; a run that stayed with its release would stop once that release's last worker is gone.
 */
export function releaseOptions(buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (buildId === undefined) return {}
  const version = { deploymentName: DEPLOYMENT, buildId }
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'AUTO_UPGRADE' } }
}

interface Joining {
  readonly connection: NativeConnection
  readonly config: Pick<Config, 'workerBuildId' | 'temporalNamespace'>
  readonly stopping: AbortSignal
  readonly logger: Logger
}

/** Makes the first release of a namespace current. For a later one, logs which release gets the runs until this one is made current. */
export async function joinRelease({ connection, config, stopping, logger }: Joining): Promise<void> {
  const { workerBuildId: buildId, temporalNamespace: namespace } = config
  if (buildId === undefined) return
  const { workflowService } = connection
  const join = async () => {
    const current = await currentRelease(workflowService, namespace)
    if (current === undefined) await makeCurrent(workflowService, namespace, buildId)
    return current ?? buildId
  }
  const onAway = (err: unknown) => logger.warn({ err }, 'Temporal does not yet know this release; trying again')
  const isAway = (error: unknown) => error instanceof ReleaseFault || isUnreachable(error)
  const current = await whenReachable(join, { isAway, onAway, stopping })
  if (current === undefined) return
  if (current === buildId) logger.info({ release: buildId }, 'runs are given to this release')
  else logger.info({ release: buildId, current }, 'runs stay with the current release until "npm run release" makes this one current')
}

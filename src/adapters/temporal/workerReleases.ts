import { setTimeout as sleep } from 'node:timers/promises'
import { isGrpcServiceError, type WorkflowService } from '@temporalio/client'
import { ReleaseFault } from './releaseFault.ts'

/** Temporal's name for all workers of a marketplace, regardless of release. Each marketplace has its own namespace. */
export const DEPLOYMENT = 'order-marketplace'

export type ReleaseService = Pick<WorkflowService, 'describeWorkerDeployment' | 'setWorkerDeploymentCurrentVersion'>

/** Returns the release whose workers get the tasks of every run; undefined if workers without a release do, as before the first release. */
export async function currentRelease(service: ReleaseService, namespace: string): Promise<string | undefined> {
  try {
    return (await deploymentOf(service, namespace))?.routingConfig?.currentDeploymentVersion?.buildId || undefined
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND) return undefined
    throw error
  }
}

/**
 * Gives the next task of every run, including parked orders, to the workers of a release. Resolves once every queue of the server knows,
 * after a minute at most. Idempotent. Fails with a ReleaseFault unless its workers have polled every queue that the current release serves,
 * since tasks in an unpolled queue would wait for ever.
 */
export async function makeCurrent(service: ReleaseService, namespace: string, buildId: string): Promise<void> {
  try {
    await service.setWorkerDeploymentCurrentVersion({ namespace, deploymentName: DEPLOYMENT, buildId })
    for (let looks = 0; looks < LOOKS; looks += 1) {
      if ((await deploymentOf(service, namespace))?.routingConfigUpdateState !== IN_PROGRESS) return
      await sleep(BETWEEN_LOOKS_MS)
    }
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error
    if (error.code === NOT_FOUND)
      throw new ReleaseFault(`Temporal knows no worker of the release ${buildId}; start one with WORKER_BUILD_ID=${buildId} first.`)
    if (error.code === FAILED_PRECONDITION)
      throw new ReleaseFault(`The release ${buildId} cannot become the current one (${error.details}); start its workers and try again.`)
    throw error
  }
}

async function deploymentOf(service: ReleaseService, namespace: string) {
  return (await service.describeWorkerDeployment({ namespace, deploymentName: DEPLOYMENT })).workerDeploymentInfo
}

const LOOKS = 120
const BETWEEN_LOOKS_MS = 500

/** temporal.api.enums.v1.RoutingConfigUpdateState */
const IN_PROGRESS = 1

/** Status codes of gRPC. */
const NOT_FOUND = 5
const FAILED_PRECONDITION = 9

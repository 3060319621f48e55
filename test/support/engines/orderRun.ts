import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client'
import { runIdOf } from '../../../worker/runs.ts'
import { until } from '../until.ts'

/** Returns the run of an order once the engine has it: an order is created in the log, and the relay starts its run a moment later. */
export function orderRun(client: Pick<Client, 'workflow'>, orderId: string): Promise<WorkflowHandle> {
  return startedRun(client, runIdOf('order', orderId))
}

/** Returns a run once the engine has it. */
export async function startedRun({ workflow }: Pick<Client, 'workflow'>, runId: string, seconds?: number): Promise<WorkflowHandle> {
  const run = workflow.getHandle(runId)
  await until(() => run.describe().then(() => true, isMissing), seconds)
  return run
}

function isMissing(error: unknown): false {
  if (error instanceof WorkflowNotFoundError) return false
  throw error
}

import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client'
import { runIdOf } from '../../../worker/runs.ts'
import { until } from '../until.ts'

/** Returns the run of an order once the engine has it: the relay validates an order before it starts the run, so the log is a moment ahead. */
export async function orderRun({ workflow }: Pick<Client, 'workflow'>, orderId: string): Promise<WorkflowHandle> {
  const run = workflow.getHandle(runIdOf('order', orderId))
  await until(() => run.describe().then(() => true, isMissing))
  return run
}

function isMissing(error: unknown): false {
  if (error instanceof WorkflowNotFoundError) return false
  throw error
}

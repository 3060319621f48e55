import type { Client } from '@temporalio/client'
import { ORDER_ATTRIBUTES } from '../workflows/searchAttributes.ts'

/** Returns the runs in Temporal that show a stuck reason, at most `max`. Fails if Temporal is away. */
export async function readStuckRuns(
  { workflow }: Pick<Client, 'workflow'>,
  max: number,
): Promise<{ readonly workflowId: string; readonly reason: string }[]> {
  const query = `${ORDER_ATTRIBUTES.OrderStuckReason.name} is not null and ExecutionStatus = "Running"`
  const stuck: { workflowId: string; reason: string }[] = []
  let seen = 0
  for await (const { workflowId, typedSearchAttributes } of workflow.list({ query, pageSize: max })) {
    const reason = typedSearchAttributes.get(ORDER_ATTRIBUTES.OrderStuckReason)
    if (reason !== undefined) stuck.push({ workflowId, reason })
    if (++seen === max) break
  }
  return stuck
}

import type { WorkflowClient } from '@temporalio/client'

/** An activity as histories tell of it: when it ran, in milliseconds since 1970 by the clock of the server, and its result. */
export interface HistoricActivity {
  readonly workflowId: string
  /** Its type, such as `deliver`. */
  readonly name: string
  readonly from: number
  readonly to: number
  readonly attempt: number
  readonly isFailed: boolean
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly result: any
}

/** Returns the activities in the histories of all runs of a namespace, and the runs that are still open. */
export async function activitiesOf(workflow: WorkflowClient): Promise<{ activities: HistoricActivity[]; open: string[] }> {
  const activities: HistoricActivity[] = []
  const open: string[] = []
  for await (const { workflowId, runId, status } of workflow.list()) {
    if (status.name === 'RUNNING') open.push(workflowId)
    activities.push(...(await ofRun(workflow, workflowId, runId)))
  }
  return { activities, open }
}

async function ofRun(workflow: WorkflowClient, workflowId: string, runId: string): Promise<HistoricActivity[]> {
  const { events } = await workflow.getHandle(workflowId, runId).fetchHistory()
  const names = new Map<string, string>()
  const started = new Map<string, { from: number; attempt: number }>()
  return (events ?? []).flatMap((event) => {
    const at = Number(event.eventTime?.seconds ?? 0) * 1_000 + (event.eventTime?.nanos ?? 0) / 1e6
    const { activityTaskScheduledEventAttributes: scheduled, activityTaskStartedEventAttributes: start } = event
    if (scheduled) names.set(String(event.eventId), scheduled.activityType?.name ?? '')
    if (start) started.set(String(start.scheduledEventId), { from: at, attempt: start.attempt ?? 1 })
    const end = event.activityTaskCompletedEventAttributes ?? event.activityTaskFailedEventAttributes
    const begun = started.get(String(end?.scheduledEventId))
    if (!end || begun === undefined) return []
    const [payload] = event.activityTaskCompletedEventAttributes?.result?.payloads ?? []
    const text = Buffer.from(payload?.data ?? []).toString()
    const result = text === '' ? undefined : JSON.parse(text)
    const isFailed = event.activityTaskFailedEventAttributes != null
    return [{ ...begun, workflowId, name: names.get(String(end.scheduledEventId)) ?? '', to: at, isFailed, result }]
  })
}

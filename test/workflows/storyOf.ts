import type { historyToJSON } from '@temporalio/common/lib/proto-utils.js'

type HistoryEvent = NonNullable<Parameters<typeof historyToJSON>[0]['events']>[number]
type Failure = NonNullable<HistoryEvent['activityTaskFailedEventAttributes']>['failure']
type Payload = NonNullable<HistoryEvent['userMetadata']>['summary']

/**
 * Returns what the history of a run tells its reader, a line for each step, signal, timer, status and stuck reason that it shows: a step with the number of its
 * attempt and the last failure if it was retried. Leaves out workflow tasks and starts of activities.
 */
export function storyOf(events: readonly HistoryEvent[]): string[] {
  const scheduled = new Map<string, string>()
  const retried = new Map<string, string>()
  return events.flatMap((event): string[] => {
    const summary = String(read(event.userMetadata?.summary) ?? '')
    const started = event.activityTaskScheduledEventAttributes ?? event.timerStartedEventAttributes
    if (started) scheduled.set(String(event.eventId), summary)
    const begun = event.activityTaskStartedEventAttributes
    if (begun?.lastFailure) retried.set(String(begun.scheduledEventId), ` (attempt ${begun.attempt}, after ${typeOf(begun.lastFailure)})`)
    const step = (id: unknown) => `${scheduled.get(String(id)) ?? '?'}${retried.get(String(id)) ?? ''}`
    const local = event.markerRecordedEventAttributes
    if (local) return [`step ${summary}${local.failure ? `: failed (${typeOf(local.failure)})` : ''}`]
    const signal = event.workflowExecutionSignaledEventAttributes
    if (signal) return [`signal ${told(signal.signalName, read(signal.input?.payloads?.[0]))}`]
    const completed = event.activityTaskCompletedEventAttributes
    if (completed) return [`step ${step(completed.scheduledEventId)}`]
    const failed = event.activityTaskFailedEventAttributes
    if (failed) return [`step ${step(failed.scheduledEventId)}: failed (${typeOf(failed.failure)})`]
    const canceled = event.activityTaskCanceledEventAttributes
    if (canceled) return [`step ${step(canceled.scheduledEventId)}: canceled`]
    if (event.timerStartedEventAttributes) return [`timer ${summary}`]
    const fired = event.timerFiredEventAttributes
    if (fired) return [`timer ${step(fired.startedEventId)}: fired`]
    const shown = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields
    if (shown) return SHOWN.flatMap(([name, word]) => (shown[name] ? [`${word} ${read(shown[name])}`] : []))
    const end = event.workflowExecutionCompletedEventAttributes
    return end ? [`result ${JSON.stringify(read(end.result?.payloads?.[0]))}`] : []
  })
}

/** Returns the timers that a run has set, each by its name in the history and its seconds. */
export function timersOf(events: readonly HistoryEvent[]): [summary: string, seconds: number][] {
  return events.flatMap(({ userMetadata, timerStartedEventAttributes: started }): [string, number][] => {
    const { seconds, nanos } = started?.startToFireTimeout ?? {}
    return started ? [[String(read(userMetadata?.summary) ?? ''), Number(seconds ?? 0) + (nanos ?? 0) / 1e9]] : []
  })
}

/** The search attributes that are told, each with a word for it. */
const SHOWN = [
  ['OrderStatus', 'status'],
  ['DropStage', 'stage'],
  ['OrderStuckReason', 'stuck'],
  ['DropStuckReason', 'stuck'],
] as const

function told(name: string | null | undefined, command: object | undefined): string {
  return [name, ...Object.values(command ?? {})].filter((one) => one !== null).join(' ')
}

function typeOf(failure: Failure): string {
  return failure?.applicationFailureInfo?.type ?? failure?.cause?.applicationFailureInfo?.type ?? 'timeout'
}

// biome-ignore lint/suspicious/noExplicitAny: any JSON
function read(payload: Payload): any {
  const text = Buffer.from(payload?.data ?? []).toString()
  return text === '' ? undefined : JSON.parse(text)
}

import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client'
import { QUEUES, WORKFLOWS } from '../workflows/messages.ts'
import { isForbidden } from './temporalErrors.ts'

/**
 * Creates every schedule or updates the existing one. A schedule that an operator paused stays paused. Any number of workers may call this
 * concurrently. Returns one sentence on what is missing if the server has no schedules or forbids access to them, else undefined.
 * Fails if the server is away.
 */
export async function makeSchedules(client: Client): Promise<string | undefined> {
  for (const schedule of SCHEDULES) {
    try {
      await makeSchedule(client, schedule)
    } catch (error) {
      if (!isForbidden(error)) throw error
      return `The schedule ${schedule.scheduleId} cannot be set up from here; until it is there, nothing runs its workflow.`
    }
  }
  return undefined
}

async function makeSchedule({ schedule: schedules }: Client, wanted: ScheduleOptions): Promise<void> {
  try {
    await schedules.create(wanted)
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const { spec, action, policies } = wanted
    await schedules
      .getHandle(wanted.scheduleId)
      .update((current) => ({ ...current, spec, action, policies: { ...current.policies, ...policies } }))
  }
}

const SCHEDULES = [
  {
    scheduleId: 'housekeeping',
    spec: { intervals: [{ every: '10 minutes' }] },
    action: { type: 'startWorkflow', workflowType: WORKFLOWS.housekeeping, workflowId: 'housekeeping', args: [], taskQueue: QUEUES.orders },
    // One run makes up for all runs missed while no worker was running.
    policies: { overlap: 'SKIP', catchupWindow: '10 minutes' },
  },
  {
    scheduleId: 'settlement',
    spec: { intervals: [{ every: '1 hour' }] },
    action: { type: 'startWorkflow', workflowType: WORKFLOWS.settlement, workflowId: 'settlement', args: [], taskQueue: QUEUES.orders },
    policies: { overlap: 'SKIP', catchupWindow: '1 hour' },
  },
] satisfies ScheduleOptions[]

export const SCHEDULE_IDS: readonly string[] = SCHEDULES.map(({ scheduleId }) => scheduleId)

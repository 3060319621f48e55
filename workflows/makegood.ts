import { allHandlersFinished, condition, proxyActivities, setCurrentDetails } from '@temporalio/workflow'
import type { MakegoodActivities } from '../activities/makegoods.ts'
import type { MakegoodTask } from '../src/domain/makegood/tend.ts'
import { openWakeSignal } from './wakeSignal.ts'

/**
 * Runs until a makegood waits for nobody: wakes at the deadline of its offer, or at the end of the flight while nothing is offered. The database decides what
 * has become due; the run only keeps time.
 */
export async function makegoodWorkflow(makegoodId: string): Promise<Omit<MakegoodTask, 'due_at'> | null> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const task = await activities.tendMakegood(makegoodId)
    if (task === null || (task.due_at === null && !woken.received())) {
      await condition(allHandlersFinished)
      return task && { status: task.status, version: task.version }
    }
    setCurrentDetails(detailsOf(task))
    // The database clock may be slightly behind.
    if (task.due_at !== null) await woken.wait(Math.max(Date.parse(task.due_at), Date.now() + 1_000), TIMERS[task.status])
  }
}

/** The names of the timers in the history. */
const TIMERS: Partial<Record<MakegoodTask['status'], string>> = { noticed: 'flight ends', offered: 'offer expires' }

function detailsOf({ status, version, due_at }: MakegoodTask): string {
  const waitsFor = status === 'offered' ? "the buyer's answer" : "the seller's offer"
  return `\`${status}\` at version ${version}${due_at === null ? '' : `: waits for ${waitsFor} until \`${due_at}\``}`
}

const activities = proxyActivities<MakegoodActivities>({
  summary: 'look at the makegood',
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '30 s' },
})

import { ActivityFailure, allHandlersFinished, condition, continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow'
import type { SandboxActivities } from '../activities/sandbox.ts'
import type { Party } from '../src/local/sandbox/habits.ts'
import { QUEUES } from './messages.ts'
import { openWakeSignal } from './wakeSignal.ts'

const PAUSE = '30 s'

/** Runs as long as the sandbox: a party hears of its orders, each of which has a run of its own. */
export async function sandboxPartyWorkflow(party: Party, after: string | null = null): Promise<void> {
  let cursor = after
  while (!workflowInfo().continueAsNewSuggested) {
    const heard = await listening.listen(party, cursor).catch(over)
    // What was refused for good may be right after an upgrade.
    if (heard === null) await sleep(PAUSE)
    else cursor = heard
  }
  await continueAsNew<typeof sandboxPartyWorkflow>(party, cursor)
}

/** Runs while a party has something to do for an order. What it does follows from the order alone. */
export async function sandboxOrderWorkflow(party: Party, orderId: string): Promise<void> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const next = await playing.play(party, orderId).catch(over)
    if (next === null && !woken.received()) break
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sandboxOrderWorkflow>(party, orderId)
    if (next !== null) await woken.wait(Math.max(Date.parse(next), Date.now() + 10), 'next move')
  }
  await condition(allHandlersFinished)
}

/** Runs while the parties do what a tenant has asked them for. Its result is what became of it; null if there was nothing to do any more. */
export async function sandboxRequestWorkflow(requestId: string): Promise<Awaited<ReturnType<SandboxActivities['carryOut']>>> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const became = await requests.carryOut(requestId).catch(over)
    if (woken.received()) continue
    await condition(allHandlersFinished)
    return became
  }
}

/** What /v1 has refused for good is over; the history shows it. */
function over(error: unknown): null {
  if (error instanceof ActivityFailure) return null
  throw error
}

const retry = { initialInterval: '500 ms', backoffCoefficient: 2, maximumInterval: '10 s' } as const
const listening = proxyActivities<Pick<SandboxActivities, 'listen'>>({
  taskQueue: QUEUES.sandbox,
  summary: 'listen',
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '5 s',
  retry,
})
const playing = proxyActivities<Pick<SandboxActivities, 'play'>>({
  taskQueue: QUEUES.sandbox,
  summary: 'play',
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 s',
  retry: { ...retry, maximumAttempts: 20 },
})
/** For an hour: an order that nobody waits for any more is not placed. */
const requests = proxyActivities<Pick<SandboxActivities, 'carryOut'>>({
  taskQueue: QUEUES.sandbox,
  summary: 'carry out',
  scheduleToCloseTimeout: '1 hour',
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '5 s',
  retry,
})

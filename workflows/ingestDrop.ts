import {
  type ActivityOptions,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow'
import type { DropActivities, DropLookActivities } from '../activities/drops.ts'
import type { DropHead } from '../src/domain/drops/dropHead.ts'
import { QUEUES } from './messages.ts'
import { showDrop, showDropStuck, showUnreadable } from './showDrop.ts'
import { reasonOf } from './steps.ts'
import { openWakeSignal, type WakeSignal } from './wakeSignal.ts'

/**
 * Runs while a drop has something to do, stage by stage. The drop's row records the next stage and where it begins; each stage updates it
 * in the transaction that writes. A run that is lost, reset or started twice therefore does no harm.
 */
export async function ingestDropWorkflow(target: string): Promise<void> {
  const woken = openWakeSignal()
  for (let failures = 0; ; ) {
    woken.clear()
    const drop = await look(target)
    if (drop === 'unreadable') {
      failures += 1
      await pause(woken, failures)
      continue
    }
    showDrop(drop)
    if (drop === null && !woken.received()) break
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof ingestDropWorkflow>(target)
    if (drop === null) continue
    if (drop.waits_for !== null) {
      await woken.wait(Date.now() + TURN_MS, 'looks for its turn')
      continue
    }
    const reason = await failureOf(drop, target)
    showDropStuck(drop, reason)
    failures = reason === null ? 0 : failures + 1
    if (failures > 0) await pause(woken, failures)
  }
  await condition(allHandlersFinished)
}

/** Reads the drop's position. On failure the run shows why and pauses by a timer, since retries alone would keep its workflow task open. */
async function look(target: string): Promise<DropHead | null | 'unreadable'> {
  try {
    return await looks.lookAtDrop(target)
  } catch (error) {
    if (isCancellation(error)) throw error
    showUnreadable(reasonOf(error))
    return 'unreadable'
  }
}

/** Runs the drop's stage and shows its progress. Returns the reason of its failure, or null when it is done. */
async function failureOf({ stage }: DropHead, target: string): Promise<string | null> {
  if (stage === 'ended') return null
  let outcome: { reason: string | null } | undefined
  stages[stage](target).then(
    () => {
      outcome = { reason: null }
    },
    (error) => {
      outcome = { reason: isCancellation(error) ? 'canceled' : reasonOf(error) }
    },
  )
  while (!(await condition(() => outcome !== undefined, PROGRESS, { summary: 'shows the progress' }))) {
    const drop = await look(target)
    if (drop !== 'unreadable') showDrop(drop)
  }
  return (outcome as unknown as { reason: string | null }).reason
}

/** Pauses after a failure, from one second up to thirty. A wake signal does not end the pause, since it says nothing about the failure. */
async function pause(woken: WakeSignal, failures: number): Promise<void> {
  const until = Date.now() + Math.min(1_000 * 2 ** (failures - 1), 30_000)
  while (Date.now() < until) {
    woken.clear()
    await woken.wait(until, 'again after a failure')
  }
}

/** A drop is woken when its turn comes; this look finds it if the wake was lost. */
const TURN_MS = 60_000
/** The time between two looks at a stage in progress. */
const PROGRESS = '15 s'

const looks = proxyLocalActivities<DropLookActivities>({
  summary: 'look',
  startToCloseTimeout: '10 s',
  retry: { initialInterval: '100 ms', backoffCoefficient: 2, maximumInterval: '10 s', maximumAttempts: 5 },
})

const STAGE: ActivityOptions = {
  taskQueue: QUEUES.drops,
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '10 s',
  // After these attempts the run shows the reason, pauses and tries again.
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '10 s', maximumAttempts: 3 },
}
const stages: Record<Exclude<DropHead['stage'], 'ended'>, (target: string) => Promise<void>> = {
  fetch: proxyActivities<DropActivities>({ ...STAGE, summary: 'fetch the files' }).fetchDrop,
  publish: proxyActivities<DropActivities>({ ...STAGE, summary: 'publish catalog and rate cards' }).publishDrop,
  avails: proxyActivities<DropActivities>({ ...STAGE, summary: 'merge avails' }).mergeDropAvails,
  posts: proxyActivities<DropActivities>({ ...STAGE, summary: 'store delivery posts' }).storeDropPosts,
  finish: proxyActivities<DropActivities>({ ...STAGE, summary: 'write the result' }).finishDrop,
}

import { type ActivityOptions, allHandlersFinished, condition, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { MailActivities } from '../activities/mails.ts'
import type { MailState } from '../src/domain/edi/mailState.ts'
import { QUEUES } from './messages.ts'
import { showMail } from './showMail.ts'
import { failureOf } from './steps.ts'
import { openWakeSignal } from './wakeSignal.ts'

/** Runs while an agreement has mails to send. The database decides what is due, in which order and how often; the run only keeps time. */
export async function mailOrdersWorkflow(agreementId: string): Promise<MailState> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const state = await mails.sendMails(agreementId).catch(leftBy)
    showMail(state)
    if (state.at === null && !woken.received()) {
      await condition(allHandlersFinished)
      return state
    }
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof mailOrdersWorkflow>(agreementId)
    // The database clock may be slightly behind.
    if (state.at !== null) await woken.wait(Math.max(Date.parse(state.at), Date.now() + 1_000), 'next attempt')
  }
}

/** Returns what a step has left of which an attempt has failed. */
function leftBy(error: unknown): MailState {
  const left = failureOf(error)?.details?.[0]
  if (left === undefined) throw error
  return left as MailState
}

const SENDING: ActivityOptions = {
  taskQueue: QUEUES.mail,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 s',
  // Retries until it succeeds, since the work remains due.
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
  summary: 'send mails',
}
const mails = proxyActivities<MailActivities>(SENDING)

import { type ActivityOptions, allHandlersFinished, condition, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { MailActivities } from '../activities/mails.ts'
import { QUEUES } from './messages.ts'
import { showMail } from './showMail.ts'
import { openWakeSignal } from './wakeSignal.ts'

/** Runs while an agreement has mails to send. The database decides what is due, in which order and how often; the run only keeps time. */
export async function mailOrdersWorkflow(agreementId: string): Promise<void> {
  const woken = openWakeSignal()
  for (;;) {
    woken.clear()
    const state = await mails.sendMails(agreementId)
    showMail(state)
    if (state.at === null && !woken.received()) break
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof mailOrdersWorkflow>(agreementId)
    // The database clock may be slightly behind.
    if (state.at !== null) await woken.wait(Math.max(Date.parse(state.at), Date.now() + 1_000))
  }
  await condition(allHandlersFinished)
}

const SENDING: ActivityOptions = {
  taskQueue: QUEUES.mail,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 s',
  // Retries until it succeeds, since the work remains due.
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
  summary: 'send what is due',
}
const mails = proxyActivities<MailActivities>(SENDING)

import { ApplicationFailure, cancellationSignal } from '@temporalio/activity'
import type { MailState } from '../src/domain/edi/mailState.ts'
import type { MailSender } from '../src/operations/edi/sendMails.ts'
import type { Database } from '../src/store/connection/database.ts'
import { readMailState } from '../src/store/edi/mailQueue.ts'
import { beating } from './beating.ts'

export interface MailActivityDeps {
  readonly db: Database
  /** Undefined if no mail server is configured, so that mails queued earlier wait. */
  readonly mailSender: MailSender | undefined
}
export type MailActivities = ReturnType<typeof mailActivities>

export function mailActivities({ db, mailSender }: MailActivityDeps) {
  return {
    /**
     * Sends an agreement's due mails. Returns what is left. If an attempt has failed, so does the step, for the reader of the history: the
     * type says why, and the details are what is left. It is not to be retried, since the mail itself says when it is due again.
     */
    sendMails: (agreementId: string): Promise<MailState> =>
      beating(async () => {
        if (mailSender === undefined) return notSetUp(db, agreementId)
        const { failed, ...state } = await mailSender.send(agreementId, cancellationSignal())
        if (failed === null) return state
        throw ApplicationFailure.create({
          message: 'a mail was not accepted',
          type: `mail:${failed}`,
          nonRetryable: true,
          details: [state],
        })
      }),
  }
}

/** The time between two looks of a worker without a mail server; a worker with one is woken by the next mail anyway. */
const LOOK_MS = 60 * 60_000

async function notSetUp(db: Database, agreementId: string): Promise<MailState> {
  const state = await readMailState(db, agreementId)
  return state.at === null ? state : { ...state, at: new Date(Date.now() + LOOK_MS).toISOString(), stuck: 'not_set_up' }
}

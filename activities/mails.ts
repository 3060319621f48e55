import { cancellationSignal } from '@temporalio/activity'
import type { MailState } from '../src/domain/edi/mailState.ts'
import type { MailSender } from '../src/edi/sendMails.ts'
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
    /** Sends an agreement's due mails. Returns what is left. */
    sendMails: (agreementId: string): Promise<MailState> =>
      beating(() => (mailSender === undefined ? notSetUp(db, agreementId) : mailSender.send(agreementId, cancellationSignal()))),
  }
}

/** The time between two looks of a worker without a mail server; a worker with one is woken by the next mail anyway. */
const LOOK_MS = 60 * 60_000

async function notSetUp(db: Database, agreementId: string): Promise<MailState> {
  const state = await readMailState(db, agreementId)
  return state.at === null ? state : { ...state, at: new Date(Date.now() + LOOK_MS).toISOString(), stuck: 'not_set_up' }
}

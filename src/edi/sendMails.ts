import type { MailState } from '../domain/edi/mailState.ts'
import { fairTurns } from '../domain/fairTurns.ts'
import { claimMail, readMailState, renewMails } from '../store/edi/mailQueue.ts'
import { attemptMail } from './attemptMail.ts'
import type { MailDeps } from './mailDeps.ts'

/** Sends what is due, an agreement at a call. */
export interface MailSender {
  /**
   * Attempts the mails of an agreement that are due, until none is, a minute has passed or `signal` aborts. Resolves with what is left. Fails when
   * the database is away; what was under way is then due again when its lease ends.
   */
  send(agreement_id: string, signal?: AbortSignal): Promise<MailState>
  /** Begins no further attempt. */
  stop(): void
}

/** Mails that are made or under way at once: in all, somewhat more than the mailer has connections, and of one agreement. */
const AT_ONCE = { permits: 6, perTenant: 4 }
/** Then the run shows where it is, and another worker gets its chance. */
const ROUND_MS = 60_000
/** A quarter of a lease. */
const RENEW_MS = 30_000

export function openMailSender(deps: MailDeps): MailSender {
  const turns = fairTurns(AT_ONCE)
  const stopping = new AbortController()
  const send = async (agreement_id: string, signal: AbortSignal = stopping.signal): Promise<MailState> => {
    const over = AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(ROUND_MS)])
    const held = new Set<string>()
    const renewing = setInterval(() => void renewMails(deps.db, [...held]).catch(() => undefined), RENEW_MS)
    const work = async (): Promise<void> => {
      while (!over.aborted) {
        const giveBack = await turns.take(agreement_id, over).catch(() => undefined)
        if (giveBack === undefined) return
        try {
          const mail = await claimMail(deps.db, agreement_id)
          if (mail === undefined) return
          held.add(mail.message_id)
          await attemptMail(deps, mail).finally(() => held.delete(mail.message_id))
        } finally {
          giveBack()
        }
      }
    }
    try {
      const lanes = await Promise.allSettled(Array.from({ length: AT_ONCE.perTenant }, work))
      const failed = lanes.find((lane) => lane.status === 'rejected')
      if (failed !== undefined) throw failed.reason
      return await readMailState(deps.db, agreement_id)
    } finally {
      clearInterval(renewing)
    }
  }
  return { send, stop: () => stopping.abort() }
}

import { setMaxListeners } from 'node:events'
import type { MailState } from '../../domain/edi/mailState.ts'
import { fairTurns } from '../../domain/fairTurns.ts'
import { type ClaimedMail, claimMails, MAIL_LEASE_MS, readMailState, renewMails } from '../../store/edi/mailQueue.ts'
import { attemptMail, type TakeTurn } from './attemptMail.ts'
import type { MailDeps } from './mailDeps.ts'
import { makeMail } from './makeMail.ts'
import { type ContentPlan, planContents } from './planContents.ts'

/** Sends the mails that are due, one agreement per call: the work of the activity `sendMails`. */
export interface MailSender {
  /**
   * Attempts the due mails of an agreement until none is left, a minute has passed or `signal` aborts. Resolves with what was done and is left.
   * Fails if the database is unreachable; mails in progress are then due again when their lease ends.
   */
  send(agreement_id: string, signal?: AbortSignal): Promise<MailRound>
  /** Stops beginning attempts. */
  stop(): void
}

/** What was done in a call: how many mails the server has accepted, and why the last attempt that failed did so. */
export interface MailRound extends MailState {
  readonly sent: number
  readonly failed: string | null
}

/** The number of mails that are claimed, read, rendered and frozen together. */
const BATCH = 32
/** The most concurrent batches, in total and per agreement, which reads one while it renders another and sends a third. */
const BATCHES = { permits: 4, perTenant: 3 }
/** The most mails at the mail server at once: in total, somewhat more than the mailer has connections, and per agreement. */
const MAX_CONCURRENT = { permits: 6, perTenant: 4 }
/** The longest round, after which the run shows its state and another worker gets a chance. */
const ROUND_MS = 60_000

/** Opens a sender, which renews its leases each quarter of them. */
export function openMailSender(deps: MailDeps, leaseMs = MAIL_LEASE_MS): MailSender {
  const { db } = deps
  const batches = fairTurns(BATCHES)
  const connections = fairTurns(MAX_CONCURRENT)
  const stopping = new AbortController()
  const send: MailSender['send'] = async (agreement_id, signal = stopping.signal) => {
    const over = AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(ROUND_MS)])
    setMaxListeners(BATCHES.perTenant * (BATCH + 1), over)
    const held = new Set<string>()
    let sent = 0
    let failed: string | null = null
    const renewing = setInterval(() => void renewMails(db, [...held], leaseMs).catch(() => undefined), leaseMs / 4)
    const takeTurn: TakeTurn = () => connections.take(agreement_id, over).catch(() => undefined)
    const makeAndAttempt = async (mail: ClaimedMail, plan: ContentPlan | undefined): Promise<void> => {
      const made = plan && (await makeMail(deps, mail, plan))
      const outcome = made && (await attemptMail(deps, mail, made, takeTurn).finally(() => held.delete(mail.message_id)))
      if (outcome?.outcome === 'accepted') sent += 1
      else if (outcome !== undefined) failed = outcome.reason ?? outcome.outcome
    }
    const attemptAll = async (mails: readonly ClaimedMail[]): Promise<void> => {
      for (const { message_id } of mails) held.add(message_id)
      try {
        const plans = await planContents(deps, mails)
        throwFirst(await Promise.allSettled(mails.map((mail) => makeAndAttempt(mail, plans.get(mail.message_id)))))
      } finally {
        for (const { message_id } of mails) held.delete(message_id)
      }
    }
    const work = async (): Promise<void> => {
      while (!over.aborted) {
        const endTurn = await batches.take(agreement_id, over).catch(() => undefined)
        if (endTurn === undefined) return
        try {
          const mails = await claimMails(db, agreement_id, BATCH, leaseMs)
          if (mails.length === 0) return
          await attemptAll(mails)
        } finally {
          endTurn()
        }
      }
    }
    try {
      throwFirst(await Promise.allSettled(Array.from({ length: BATCHES.perTenant }, work)))
      return { ...(await readMailState(db, agreement_id)), sent, failed }
    } finally {
      clearInterval(renewing)
    }
  }
  return { send, stop: () => stopping.abort() }
}

function throwFirst(resolved: readonly PromiseSettledResult<unknown>[]): void {
  const failed = resolved.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

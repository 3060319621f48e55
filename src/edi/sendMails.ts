import { setMaxListeners } from 'node:events'
import type { MailState } from '../domain/edi/mailState.ts'
import { fairTurns } from '../domain/fairTurns.ts'
import { type ClaimedMail, claimMails, readMailState, renewMails } from '../store/edi/mailQueue.ts'
import { attemptMail, type TakeTurn } from './attemptMail.ts'
import type { MailDeps } from './mailDeps.ts'
import { makeMail } from './makeMail.ts'
import { type ContentPlan, planContents } from './planContents.ts'

/** Sends the mails that are due, one agreement per call. */
export interface MailSender {
  /**
   * Attempts the due mails of an agreement until none is left, a minute has passed or `signal` aborts. Resolves with the remaining state.
   * Fails if the database is unreachable; mails in progress are then due again when their lease ends.
   */
  send(agreement_id: string, signal?: AbortSignal): Promise<MailState>
  /**
   * Sends an agreement's due mails for a caller that has no run. Resolves at once if that is in progress, which then looks again. Returns
   * undefined if the sender is stopping or many agreements are sent so, so that the caller wakes the agreement's run. Fails as `send` does.
   */
  sendWithoutRun(agreement_id: string): Promise<MailsLeft> | undefined
  /** Stops beginning attempts. */
  stop(): void
}

/** Nothing waits; a `run` must time the rest, or be told of it; or this process `ends` and another continues. */
export type MailsLeft = 'nothing' | 'run' | 'ends'

/** The number of mails that are claimed, read, rendered and frozen together. */
const BATCH = 32
/** The most concurrent batches, in total and per agreement, which reads one while it renders another and sends a third. */
const BATCHES = { permits: 4, perTenant: 3 }
/** The most mails at the mail server at once: in total, somewhat more than the mailer has connections, and per agreement. */
const AT_ONCE = { permits: 6, perTenant: 4 }
/** The longest round, after which the run shows its state and another worker gets a chance. */
const ROUND_MS = 60_000
/** The interval at which leases are renewed, a quarter of a lease. */
const RENEW_MS = 30_000
/** The most agreements that are sent without a run, most of which wait for a turn. */
const WITHOUT_RUN = 200

export function openMailSender(deps: MailDeps): MailSender {
  const { db } = deps
  const batches = fairTurns(BATCHES)
  const connections = fairTurns(AT_ONCE)
  const stopping = new AbortController()
  /** The agreements that are sent without a run. */
  const underway = new Map<string, Underway>()
  const sendRound = async (agreement_id: string, signal: AbortSignal): Promise<Round> => {
    const over = AbortSignal.any([signal, stopping.signal, AbortSignal.timeout(ROUND_MS)])
    setMaxListeners(BATCHES.perTenant * (BATCH + 1), over)
    const held = new Set<string>()
    let mayHaveRun = false
    const renewing = setInterval(() => void renewMails(db, [...held]).catch(() => undefined), RENEW_MS)
    const takeTurn: TakeTurn = () => connections.take(agreement_id, over).catch(() => undefined)
    const makeAndAttempt = async (mail: ClaimedMail, plan: ContentPlan | undefined): Promise<void> => {
      const made = plan && (await makeMail(deps, mail, plan))
      if (made !== undefined) await attemptMail(deps, mail, made, takeTurn).finally(() => held.delete(mail.message_id))
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
          const mails = await claimMails(db, agreement_id, BATCH)
          if (mails.length === 0) return
          mayHaveRun ||= mails.some(({ attempts, is_late }) => attempts > 0 || is_late)
          await attemptAll(mails)
        } finally {
          endTurn()
        }
      }
    }
    try {
      throwFirst(await Promise.allSettled(Array.from({ length: BATCHES.perTenant }, work)))
      return { state: await readMailState(db, agreement_id), mayHaveRun }
    } finally {
      clearInterval(renewing)
    }
  }
  const sendAll = async (agreement_id: string, sending: Underway): Promise<MailsLeft> => {
    try {
      for (;;) {
        sending.isWoken = false
        const { state, mayHaveRun } = await sendRound(agreement_id, stopping.signal)
        if (stopping.signal.aborted) return 'ends'
        // A run that has waited for these mails must look again, since it shows operators what waits and why.
        if (state.at !== null || mayHaveRun) return 'run'
        if (!sending.isWoken) return 'nothing'
      }
    } finally {
      underway.delete(agreement_id)
    }
  }
  return {
    send: async (agreement_id, signal = stopping.signal) => (await sendRound(agreement_id, signal)).state,
    sendWithoutRun: (agreement_id) => {
      const inProgress = underway.get(agreement_id)
      if (inProgress !== undefined) {
        inProgress.isWoken = true
        return Promise.resolve('nothing')
      }
      if (stopping.signal.aborted || underway.size >= WITHOUT_RUN) return undefined
      const sending = { isWoken: false }
      underway.set(agreement_id, sending)
      return sendAll(agreement_id, sending)
    },
    stop: () => stopping.abort(),
  }
}

interface Underway {
  /** Whether more mails may have become due since the last look began. */
  isWoken: boolean
}

interface Round {
  readonly state: MailState
  /** Whether a run may have waited for one of the mails: it was attempted before, or due for some time. */
  readonly mayHaveRun: boolean
}

function throwFirst(settled: readonly PromiseSettledResult<unknown>[]): void {
  const failed = settled.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

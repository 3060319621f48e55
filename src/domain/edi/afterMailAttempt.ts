import type { EdiOutcome, EdiStuckReason } from '../../contract/vocabulary/edi.ts'

/** What is known when an attempt has ended, in milliseconds since 1970. */
export interface MailAttempt {
  readonly outcome: EdiOutcome
  readonly reason?: EdiStuckReason | undefined
  /** Which attempt it was, from 1. */
  readonly made: number
  readonly firstAt: number
  readonly endedAt: number
}

/** What becomes of a mail: it is done, or tried again at `due`. `stuck` is what operators and tenants see from the third miss on. */
export type MailFate =
  | { readonly status: 'sent' }
  | { readonly status: 'failed'; readonly status_reason: 'refused' | 'expired' }
  | { readonly status: 'queued'; readonly due: number; readonly stuck: EdiStuckReason | null }

/** `chance` is between 0 and 1: it spreads the next attempt of many mails that failed together. */
export function afterMailAttempt({ outcome, reason, made, firstAt, endedAt }: MailAttempt, chance: number): MailFate {
  if (outcome === 'accepted') return { status: 'sent' }
  if (outcome === 'refused') return { status: 'failed', status_reason: 'refused' }
  const end = firstAt + LAST_ATTEMPT_MS
  if (endedAt >= end) return { status: 'failed', status_reason: 'expired' }
  const due = endedAt + retryWait(made, chance)
  return { status: 'queued', due: Math.min(due, end), stuck: made < SHOWN_FROM ? null : (reason ?? 'deferred') }
}

/** Returns whether an attempt with this outcome may have handed the mail over: a connection that ends after DATA looks like one that never was. */
export function mayHaveGone({ outcome, reason }: Pick<MailAttempt, 'outcome' | 'reason'>): boolean {
  return outcome === 'accepted' || (outcome === 'unreachable' && reason !== 'dns' && reason !== 'tls' && reason !== 'auth')
}

const MINUTE_MS = 60_000
/** Minutes until the next attempt, by how many were made; the last one repeats. */
const WAITS = [1, 2, 5, 15, 30, 60]
const LAST_ATTEMPT_MS = 72 * 60 * MINUTE_MS
const SHOWN_FROM = 3

/** A fifth less or more, by chance. */
function retryWait(made: number, chance: number): number {
  const minutes = WAITS[Math.min(made, WAITS.length) - 1] ?? 1
  return Math.round(minutes * MINUTE_MS * (0.8 + 0.4 * chance))
}

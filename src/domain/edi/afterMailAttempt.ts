import type { EdiOutcome, EdiStuckReason } from '../../contract/vocabulary/edi.ts'

/** The facts of an ended attempt; times are milliseconds since 1970. */
export interface MailAttempt {
  readonly outcome: EdiOutcome
  readonly reason?: EdiStuckReason | undefined
  /** The number of the attempt, from 1. */
  readonly made: number
  readonly firstAt: number
  readonly endedAt: number
}

/** The state of a mail after an attempt: done, or tried again at `due`. Operators and tenants see `stuck` from the third miss on. */
export type MailFate =
  | { readonly status: 'sent' }
  | { readonly status: 'failed'; readonly status_reason: 'refused' | 'expired' }
  | { readonly status: 'queued'; readonly due: number; readonly stuck: EdiStuckReason | null }

/** Returns the state of a mail after an attempt. `chance`, between 0 and 1, spreads the next attempts of mails that failed together. */
export function afterMailAttempt({ outcome, reason, made, firstAt, endedAt }: MailAttempt, chance: number): MailFate {
  if (outcome === 'accepted') return { status: 'sent' }
  if (outcome === 'refused') return { status: 'failed', status_reason: 'refused' }
  const end = firstAt + LAST_ATTEMPT_MS
  if (endedAt >= end) return { status: 'failed', status_reason: 'expired' }
  const due = endedAt + retryWait(made, chance)
  return { status: 'queued', due: Math.min(due, end), stuck: made < SHOWN_FROM ? null : (reason ?? 'deferred') }
}

/** Returns true if an attempt may have delivered the mail: a connection that ends after DATA looks like one that was never made. */
export function mayHaveGone({ outcome, reason }: Pick<MailAttempt, 'outcome' | 'reason'>): boolean {
  return outcome === 'accepted' || (outcome === 'unreachable' && reason !== 'dns' && reason !== 'tls' && reason !== 'auth')
}

const MINUTE_MS = 60_000
/** The minutes until the next attempt, by the number of attempts made; the last value repeats. */
const WAITS = [1, 2, 5, 15, 30, 60]
const LAST_ATTEMPT_MS = 72 * 60 * MINUTE_MS
const SHOWN_FROM = 3

/** Returns the wait in milliseconds, varied by chance by up to a fifth. */
function retryWait(made: number, chance: number): number {
  const minutes = WAITS[Math.min(made, WAITS.length) - 1] ?? 1
  return Math.round(minutes * MINUTE_MS * (0.8 + 0.4 * chance))
}

import type { RawReply } from './apiError.ts'
import { NoAnswerError } from './apiError.ts'

/** Retries are safe for every operation: the API carries out the same bytes once, and 429 and 503 mean that it did nothing. */
export interface Retry {
  /** The time after the first request within which retries may begin. */
  withinMs: number
  /** Whether to retry also if no reply comes, or only that of a proxy whose own call got no answer (502, 504); false by default. */
  unanswered?: boolean
  /** The longest wait, even if Retry-After asks for more. */
  longestWaitMs?: number
}

/** Returns the milliseconds to wait before the same request is sent again; undefined if the outcome is final. */
export function waitBeforeRetry(retry: Retry, outcome: RawReply | NoAnswerError, deadline: number, now = Date.now()): number | undefined {
  const { unanswered = false, longestWaitMs = Number.POSITIVE_INFINITY } = retry
  const status = outcome instanceof NoAnswerError ? undefined : outcome.status
  if (status === undefined || OF_A_PROXY.has(status) ? !unanswered : status !== 429 && status !== 503) return undefined
  const seconds = outcome instanceof NoAnswerError ? Number.NaN : Number(outcome.headers.get('retry-after') ?? Number.NaN)
  const asked = Number.isFinite(seconds) ? seconds * 1_000 : USUAL_WAIT_MS
  // Spreads the retries of clients that failed together.
  const waitMs = Math.min(asked, longestWaitMs) + Math.random() * USUAL_WAIT_MS
  return now + waitMs > deadline ? undefined : waitMs
}

const USUAL_WAIT_MS = 100

/** Only proxies send these: a balancer does if the API behind it ends during a request, which may have been carried out. */
const OF_A_PROXY: ReadonlySet<number> = new Set([502, 504])

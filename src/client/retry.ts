import { NoAnswerError } from './apiError.ts'
import type { RawReply } from './exchange.ts'

/** Safe for every operation: the same bytes are done once, and 429 and 503 mean that nothing was done. */
export interface Retry {
  /** No retry begins later than this after the first request. */
  withinMs: number
  /** Also when no reply comes, or only that of a proxy whose own call was not answered (502, 504); false by default. */
  unanswered?: boolean
  /** The longest wait, also if Retry-After asks for more. */
  longestWaitMs?: number
}

/** Milliseconds to wait before the same request is sent again; undefined when its outcome is final. */
export function waitBeforeRetry(retry: Retry, outcome: RawReply | NoAnswerError, deadline: number, now = Date.now()): number | undefined {
  const { unanswered = false, longestWaitMs = Number.POSITIVE_INFINITY } = retry
  const status = outcome instanceof NoAnswerError ? undefined : outcome.status
  if (status === undefined || OF_A_PROXY.has(status) ? !unanswered : status !== 429 && status !== 503) return undefined
  const seconds = outcome instanceof NoAnswerError ? Number.NaN : Number(outcome.headers.get('retry-after') ?? Number.NaN)
  const asked = Number.isFinite(seconds) ? seconds * 1_000 : USUAL_WAIT_MS
  // Clients that failed together do not return together.
  const waitMs = Math.min(asked, longestWaitMs) + Math.random() * USUAL_WAIT_MS
  return now + waitMs > deadline ? undefined : waitMs
}

const USUAL_WAIT_MS = 100

/** The API never sends these. A balancer does when the API behind it ends in the middle of a request, which may have been carried out. */
const OF_A_PROXY: ReadonlySet<number> = new Set([502, 504])

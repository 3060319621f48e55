import { NoAnswerError } from './errors.js'

/** How requests are sent again. Each is safe: a POST has an Idempotency-Key or is recognized by its bytes, and the same bytes are sent. */
export interface Retry {
  /** The most attempts of one request, the first included. */
  attempts: number
  /** The longest wait before an attempt, in milliseconds, even if Retry-After asks for more. */
  longestWaitMs: number
  /** The time for one attempt, in milliseconds. */
  timeoutMs: number
}

export const USUAL_RETRY: Retry = { attempts: 5, longestWaitMs: 30_000, timeoutMs: 60_000 }

/** Sends a request, and again after 429, 502, 503, 504 or no reply at all. Fails with NoAnswerError if none came. */
export async function sendSafely(request: Request, send: typeof fetch, { attempts, longestWaitMs, timeoutMs }: Retry): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= attempts
    const outcome = await tried(isLast ? request : request.clone(), send, timeoutMs)
    if (request.signal.aborted) throw request.signal.reason
    if (outcome instanceof Response ? !AGAIN.has(outcome.status) || isLast : isLast) {
      if (outcome instanceof Response) return outcome
      throw outcome
    }
    if (outcome instanceof Response) await outcome.body?.cancel()
    await pause(Math.min(waitOf(outcome, attempt), longestWaitMs), request.signal)
  }
}

/** 429 and 503 mean that nothing was done; the others are of what is in between. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504])

async function tried(request: Request, send: typeof fetch, timeoutMs: number): Promise<Response | NoAnswerError> {
  try {
    return await send(new Request(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) }))
  } catch (cause) {
    return new NoAnswerError(`${request.method} ${new URL(request.url).pathname} was not answered.`, { cause })
  }
}

/** The milliseconds to wait: what Retry-After asks for, else twice as long each time, with jitter that spreads clients. */
function waitOf(outcome: Response | NoAnswerError, attempt: number): number {
  const asked = outcome instanceof Response ? Number(outcome.headers.get('Retry-After') ?? Number.NaN) : Number.NaN
  const usual = FIRST_WAIT_MS * 2 ** (attempt - 1)
  return Number.isFinite(asked) ? asked * 1_000 + Math.random() * FIRST_WAIT_MS : usual / 2 + (Math.random() * usual) / 2
}

const FIRST_WAIT_MS = 250

/** Waits, or fails with the signal's reason once it aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, milliseconds)
    if (signal?.aborted) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
}

import { NoAnswerError } from './errors.js'

/** How requests are sent again. Each is safe: a POST has an Idempotency-Key or is recognized by its bytes, and the same bytes are sent. */
export interface Retry {
  /** The most attempts of one request, the first included; 1 takes every outcome for final. */
  attempts: number
  /** The time after the first attempt within which another may begin, in milliseconds. */
  withinMs: number
  /** The longest wait before an attempt, in milliseconds, even if Retry-After asks for more. */
  longestWaitMs: number
  /** The time for one attempt, from the first byte sent to the last one read, in milliseconds. */
  timeoutMs: number
}

export const USUAL_RETRY: Retry = { attempts: 5, withinMs: Number.POSITIVE_INFINITY, longestWaitMs: 30_000, timeoutMs: 60_000 }

/**
 * Sends a request, and again after 429, 502, 503, 504 or no whole reply. Fails with NoAnswerError if none came, and with the signal's reason
 * once the signal aborts. `make` returns the same request for each attempt, so that the body of a file is read again instead of being held.
 */
export async function sendSafely(make: () => Request, send: typeof fetch, retry: Retry, signal?: AbortSignal): Promise<Response> {
  const deadline = Date.now() + retry.withinMs
  for (let attempt = 1; ; attempt += 1) {
    const request = make()
    const stops = signal === undefined ? request.signal : AbortSignal.any([request.signal, signal])
    const outcome = await tried(request, send, AbortSignal.any([stops, AbortSignal.timeout(retry.timeoutMs)]))
    stops.throwIfAborted()
    const waitMs = Math.min(waitOf(outcome, attempt), retry.longestWaitMs)
    const isFinal = attempt >= retry.attempts || Date.now() + waitMs > deadline
    if (outcome instanceof Response ? isFinal || !AGAIN.has(outcome.status) : isFinal) {
      if (outcome instanceof Response) return outcome
      throw outcome
    }
    await pause(waitMs, stops)
  }
}

/** 429 and 503 mean that nothing was done; the others are of what is in between. */
const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Returns a reply whose body has been read: a connection can also break in the middle of one. */
async function tried(request: Request, send: typeof fetch, signal: AbortSignal): Promise<Response | NoAnswerError> {
  try {
    const response = await send(new Request(request, { signal }))
    const bytes = await response.arrayBuffer()
    return new Response(bytes.byteLength === 0 ? null : bytes, { status: response.status, headers: response.headers })
  } catch (cause) {
    return new NoAnswerError(`${request.method} ${new URL(request.url).pathname} was not answered (${reasonOf(cause)}).`, { cause })
  }
}

/** Returns why a connection failed: fetch hides the reason in the cause of its error. */
function reasonOf(error: unknown): string {
  const { code, message, cause, name } = error as { code?: unknown; message?: string; cause?: unknown; name?: string }
  if (typeof code === 'string') return code
  if (cause !== undefined) return reasonOf(cause)
  return name === 'TimeoutError' ? 'timeout' : (message ?? String(error))
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

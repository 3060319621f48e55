import { NoAnswerError, type RawReply } from './apiError.ts'
import { apiUrl } from './apiUrl.ts'
import { type Retry, waitBeforeRetry } from './retry.ts'

/** One tenant's access to the API: its token, and nothing that other clients do not have. */
export interface Access {
  /** The base URL, with or without the version segment. */
  baseUrl: string
  token: string
  /** Ends every request, and every wait for a retry. */
  signal?: AbortSignal
  /** The time for one reply, from the first byte sent to the last one read; 30 s by default. */
  timeoutMs?: number
  /** Sends the same bytes again after 429 and 503; if omitted, every reply is final. */
  retry?: Retry
  /** Replaces the global fetch. */
  fetch?: (url: string, init: Sent) => Promise<Response>
}

export interface RawRequest {
  method: Method
  /** The path below /v1, with its query. */
  path: string
  headers?: Readonly<Record<string, string>>
  body?: SentBody | undefined
  /** The content type of the body; JSON by default. */
  contentType?: string | undefined
}

/** The body of a request. A Blob of a file is read from the disk while it is sent, and again for a retry. */
export type SentBody = string | Uint8Array<ArrayBuffer> | Blob

/** The options that `fetch` is called with. */
export interface Sent {
  method: Method
  headers: Record<string, string>
  body?: SentBody
  signal: AbortSignal
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends one request and reads its reply. Fails with NoAnswerError if none comes, and with the signal's reason once the signal aborts. */
export async function exchange(access: Access, request: RawRequest): Promise<RawReply> {
  const { retry, signal } = access
  const deadline = Date.now() + (retry?.withinMs ?? 0)
  for (;;) {
    const outcome = await attempt(access, request)
    const waitMs = retry === undefined ? undefined : waitBeforeRetry(retry, outcome, deadline)
    if (waitMs !== undefined) await pause(waitMs, signal)
    else if (outcome instanceof NoAnswerError) throw outcome
    else return outcome
  }
}

async function attempt(access: Access, request: RawRequest): Promise<RawReply | NoAnswerError> {
  const { baseUrl, token, signal, timeoutMs = 30_000, fetch: send = fetch } = access
  const { method, path, headers, body, contentType = 'application/json' } = request
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(`${apiUrl(baseUrl)}${path}`, {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': contentType }) },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    signal?.throwIfAborted()
    return new NoAnswerError(`${method} /v1${path}`, error)
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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

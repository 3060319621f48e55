import { setTimeout as sleep } from 'node:timers/promises'
import { NotHeld, Unreachable } from './story.ts'

/** The calls of one tenant to /v1, as any client makes them: bytes over HTTP, and nothing of the service's own. */
export interface Wire {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  get(path: string): Promise<WireReply>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<WireReply>
  put(path: string, body: unknown): Promise<WireReply>
  delete(path: string): Promise<WireReply>
}

export interface WireReply {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON; an empty object if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a body may be of any operation, or an error
  readonly body: any
}

const TIMEOUT_MS = 30_000
/** A sandbox may be busy: 429 and 503 are waited for, in all no longer than this. */
const PATIENCE_MS = 60_000

/** Opens the calls of a token. `baseUrl` is with or without `/v1`. Calls fail with Unreachable if no reply comes. */
export function openWire(baseUrl: string, token: string): Wire {
  const base = versioned(baseUrl)
  const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const init = {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}`, ...(text === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(text === undefined ? {} : { body: text }),
    }
    for (const end = Date.now() + PATIENCE_MS; ; ) {
      const reply = await exchange(`${base}${path}`, init)
      const waitMs = Number(reply.headers.get('retry-after') ?? 1) * 1_000
      if ((reply.status !== 429 && reply.status !== 503) || Date.now() + waitMs > end) return reply
      await sleep(waitMs)
    }
  }
  return {
    baseUrl: base,
    get: (path) => send('GET', path),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body) => send('PUT', path, body),
    delete: (path) => send('DELETE', path),
  }
}

async function exchange(url: string, init: RequestInit): Promise<WireReply> {
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) })
    const text = await reply.text()
    const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
    return { status: reply.status, headers: reply.headers, body: isJson ? JSON.parse(text) : {} }
  } catch (cause) {
    throw new Unreachable(`${init.method} ${new URL(url).pathname} was not answered.`, { cause })
  }
}

/** Returns the body of a reply that has to have this status. */
export function expected({ status, body }: WireReply, wanted: number, fix: string): WireReply['body'] {
  if (status === wanted) return body
  const code = body.error_code === undefined ? '' : ` ${body.error_code}: ${body.error_message}`
  throw new NotHeld(`the marketplace answered ${status} instead of ${wanted}${code}`, fix)
}

/** Reads until what was read is as wanted; fails with what was read last. Waits a little longer each time. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
  { patienceMs, cause, fix }: { patienceMs: number; cause: (last: Value) => string; fix: string },
): Promise<Value> {
  const end = Date.now() + patienceMs
  for (let waitMs = 100; ; waitMs = Math.min(waitMs * 1.5, 2_000)) {
    const value = await read()
    if (isWanted(value)) return value
    if (Date.now() + waitMs > end) throw new NotHeld(`${cause(value)} after ${Math.round(patienceMs / 1_000)} s`, fix)
    await sleep(waitMs)
  }
}

function versioned(baseUrl: string): string {
  const plain = baseUrl.replace(/\/{1,8}$/, '')
  return plain.endsWith('/v1') ? plain : `${plain}/v1`
}

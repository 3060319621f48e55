import type { Dispatcher } from 'undici'
import { openTimeLimits } from './timeLimits.ts'

/** A failure of a call that already has its name. */
export class CallFault extends Error {
  readonly fault: OutboundFault

  constructor(fault: OutboundFault) {
    super(fault)
    this.fault = fault
  }
}

/**
 * Makes one exchange. Never fails. It handles the response itself: a stream, an abort signal and a race would cost more than the call.
 */
export function exchange(
  dispatcher: Dispatcher,
  { method, url, headers, body, deadline, maxBytes }: OutboundRequest,
): Promise<OutboundAnswer> {
  return new Promise((resolve) => {
    const handler = new Exchange(deadline, maxBytes, resolve)
    try {
      const { origin, path } = targetOf(url)
      dispatcher.dispatch({ origin, path, method, headers: withUsual(headers), body: body ?? null }, handler)
    } catch (error) {
      handler.end(faultOf(error))
    }
  })
}

const USUAL = { 'user-agent': 'order-marketplace', accept: '*/*', 'accept-encoding': 'identity' }

/** Returns names and values alternately, the form to which undici converts headers. */
function withUsual(headers: Readonly<Record<string, string>> = {}): string[] {
  const sent: string[] = []
  for (const [name, value] of Object.entries(USUAL)) if (!(name in headers)) sent.push(name, value)
  for (const [name, value] of Object.entries(headers)) sent.push(name, value)
  return sent
}

interface Target {
  readonly origin: string
  readonly path: string
}

const targets = new Map<string, Target>()
const MAX_TARGETS = 1_000

/** Parses a URL and throws if it is not valid. Recurring URLs are parsed once. */
function targetOf(url: string): Target {
  const known = targets.get(url)
  if (known !== undefined) return known
  const { origin, pathname, search } = new URL(url)
  const target = { origin, path: pathname + search }
  if (targets.size >= MAX_TARGETS) targets.clear()
  targets.set(url, target)
  return target
}

/** undici's timeouts only measure idle time, so a server that trickles bytes never reaches them. */
const limits = openTimeLimits()

class Exchange implements Dispatcher.DispatchHandler {
  readonly #began = performance.now()
  readonly #resolve: (answer: OutboundAnswer) => void
  readonly #maxBytes: number
  readonly #endLimit: () => void
  readonly #chunks: Buffer[] = []
  #size = 0
  #controller: Dispatcher.DispatchController | undefined
  #response: { status: number; headers: Readonly<Record<string, string | string[] | undefined>> } | undefined
  #isOver = false

  constructor(deadline: number, maxBytes: number, resolve: (answer: OutboundAnswer) => void) {
    this.#resolve = resolve
    this.#maxBytes = maxBytes
    this.#endLimit = limits.begin(deadline, () => this.end('timeout'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // The exchange ended before there was a connection.
    if (this.#isOver) controller.abort(new CallFault('timeout'))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status >= 200) this.#response = { status, headers }
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > this.#maxBytes) this.end('too_large')
  }

  onResponseEnd(): void {
    this.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.end(faultOf(error))
  }

  /** Answers once, with the bytes received so far. If this happens before the response is complete, it closes the connection. */
  end(incomplete?: OutboundFault | 'too_large'): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#endLimit()
    const latency_ms = Math.round(performance.now() - this.#began)
    if (this.#response !== undefined) {
      const { status, headers } = this.#response
      const body = this.#size === 0 ? EMPTY : Buffer.concat(this.#chunks).subarray(0, this.#maxBytes)
      this.#resolve(incomplete === undefined ? { latency_ms, status, headers, body } : { latency_ms, status, headers, body, incomplete })
    } else this.#resolve({ latency_ms, fault: incomplete === undefined || incomplete === 'too_large' ? 'protocol' : incomplete })
    const controller = this.#controller
    // Aborts later, since the parser of the response may be running now.
    if (incomplete !== undefined && controller !== undefined) queueMicrotask(() => controller.abort(new CallFault('timeout')))
  }
}

const EMPTY = Buffer.alloc(0)

function faultOf(error: unknown): OutboundFault {
  if (error instanceof CallFault) return error.fault
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown[] }
  // Several addresses failed; the first error represents them.
  if (Array.isArray(errors) && errors.length > 0) return faultOf(errors[0])
  if (cause instanceof CallFault) return cause.fault
  const word = String(code)
  for (const [fault, form] of FAULTS) if (form.test(word)) return fault
  return 'protocol'
}

const FAULTS: readonly (readonly [OutboundFault, RegExp])[] = [
  ['connect', /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/],
  ['timeout', /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/],
  ['reset', /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_ABORTED)$/],
  ['tls', /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/],
]

/** An HTTP request to a server outside of the platform. */
export interface OutboundRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  /** The bytes to send, unchanged. */
  body?: string | Buffer
  /** Milliseconds for the whole exchange: DNS, connection, request, and the response to its last byte. */
  deadline: number
  /** The most bytes of the response body to read. */
  maxBytes: number
}

/** The outcome of a call. A call never throws: failures of the server or the network are outcomes. */
export type OutboundAnswer = { latency_ms: number } & (
  | {
      status: number
      headers: Readonly<Record<string, string | string[] | undefined>>
      /** As sent, never decompressed. If `incomplete` is set, the part that arrived. */
      body: Buffer
      incomplete?: 'too_large' | OutboundFault
    }
  | { fault: OutboundFault }
)

/** Why there was no response. `refused_address`: the host is, or resolves to, an address that the platform does not call. */
export type OutboundFault = 'refused_address' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol'

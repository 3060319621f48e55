import type { Readable } from 'node:stream'

export interface Reply {
  readonly status: number
  /** An object to send as JSON, or JSON text, as a string or bytes, to send unchanged. */
  readonly body?: object | string | Uint8Array | undefined
  /** The text after `body`, streamed while it is read. The generator has already started; the sender of the reply ends it. */
  readonly rest?: AsyncGenerator<string> | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** A file that forms the body, sent at the pace of its reader; `headers` state its type and length. */
  readonly download?: Readable | undefined
}

export function ok(body: object | string, headers?: Record<string, string>): Reply {
  return headers === undefined ? { status: 200, body } : { status: 200, body, headers }
}

export function accepted(body: object | string): Reply {
  return { status: 202, body }
}

/** The headers of a reply that is a repeat of an earlier one. */
export const REPLAYED = { 'X-Idempotent-Replay': 'true' } as const

/** Answers a command on an order: 202, marked where it repeats an earlier answer. */
export function answered({ outcome, repeated }: { readonly outcome: object; readonly repeated: boolean }): Reply {
  return repeated ? { status: 202, body: outcome, headers: REPLAYED } : accepted(outcome)
}

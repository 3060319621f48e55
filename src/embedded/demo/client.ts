import type { ErrorEnvelope } from '../../contract/errorEnvelope.ts'

/** The demo cannot go on; the message is one sentence that says why. */
export class DemoFault extends Error {
  override name = 'DemoFault'
}

export interface Answer<T> {
  status: number
  body: T
  /** The platform had the same request before and answers as it did then. */
  replayed: boolean
}

/** One tenant's way to the API: its token, and nothing that any other client has not. */
export interface Client {
  ask<T>(method: 'GET' | 'PUT' | 'POST', path: string, body?: string): Promise<Answer<T>>
}

export function clientFor(baseUrl: string, token: string, signal: AbortSignal): Client {
  return {
    ask: async <T>(method: string, path: string, body?: string): Promise<Answer<T>> => {
      const headers = { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
      const reply = await fetch(`${baseUrl}/v1${path}`, { method, headers, signal, ...(body === undefined ? {} : { body }) })
      const text = await reply.text()
      if (!reply.ok) throw new DemoFault(`${method} /v1${path} was refused with ${reply.status}: ${complaintOf(text)}`)
      return { status: reply.status, body: JSON.parse(text) as T, replayed: reply.headers.get('X-Idempotent-Replay') === 'true' }
    },
  }
}

function complaintOf(text: string): string {
  try {
    const { error_code, error_message, details } = JSON.parse(text) as ErrorEnvelope
    const others = (details.errors?.length ?? 1) - 1
    return `${error_code}, ${error_message}${others > 0 ? ` (and ${others} more)` : ''}`
  } catch {
    return text.slice(0, 200) || 'no reason was given.'
  }
}

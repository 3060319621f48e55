import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import type { ErrorEnvelope } from '../contract/errorEnvelope.ts'
import { apiUrl } from '../embedded/apiUrl.ts'

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
  /** `type` is the body's, JSON unless said otherwise. */
  ask<T>(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: string, type?: string): Promise<Answer<T>>
}

export function clientFor(baseUrl: string, token: string, signal: AbortSignal): Client {
  const api = apiUrl(baseUrl)
  return {
    ask: async <T>(
      method: 'GET' | 'PUT' | 'POST' | 'DELETE',
      path: string,
      body?: string,
      type = 'application/json',
    ): Promise<Answer<T>> => {
      const call = `${method} /v1${path}`
      const headers = { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': type }) }
      const options = { method, headers, signal, ...(body === undefined ? {} : { body }) }
      // Not fetch, which refuses some ports that a user may well have chosen.
      const send = () => request(`${api}${path}`, options).catch((error) => unanswered(error, call))
      let reply = await send()
      while (reply.statusCode === 429) {
        await reply.body.dump()
        await sleep(Number(reply.headers['retry-after'] ?? 1) * 1_000, undefined, { signal })
        reply = await send()
      }
      const text = await reply.body.text()
      if (reply.statusCode >= 300) throw new DemoFault(`${call} was refused with ${reply.statusCode}: ${complaintOf(text)}`)
      return {
        status: reply.statusCode,
        body: (text === '' ? undefined : JSON.parse(text)) as T,
        replayed: reply.headers['x-idempotent-replay'] === 'true',
      }
    },
  }
}

function unanswered(error: unknown, call: string): never {
  const { name, code, message } = error as Error & { code?: string }
  if (name === 'AbortError') throw error
  throw new DemoFault(`${call} was not answered (${code ?? message}); the log in the data directory says why.`)
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

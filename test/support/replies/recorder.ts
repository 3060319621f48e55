import type { Response } from 'supertest'
import { type Endpoint, type Named, takesJson } from '../../../src/contract/endpoints/endpoint.ts'
import { ENDPOINTS } from '../../../src/contract/endpoints/groups.ts'
import type { CredentialSide } from '../../../src/contract/vocabulary/access.ts'
import type { TestApp } from '../http/app.ts'
import { checkReply } from '../http/contract.ts'

/** The body of a reply by operation and status. */
export type Replies = Map<string, Map<number, unknown>>

export interface Ask {
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  bytes?: Uint8Array
}

export interface Recorder {
  readonly replies: Replies
  /**
   * Sends a request as the side that the operation serves (the buyer if it serves both) and returns the reply's body. Throws on failure.
   */
  // biome-ignore lint/suspicious/noExplicitAny: replies are checked against the contract, and each caller knows its own.
  ask<Body = any>(operation: string, ask?: Ask): Promise<Body>
  /** Sends a request as one side and returns the reply, whatever it is; keeps nothing. */
  send(operation: string, ask?: Ask, side?: CredentialSide): Promise<Response>
}

/** Returns a recorder that keeps the first reply of each operation and success status. */
export function recorderFor({ request }: TestApp, tokens: Readonly<Record<CredentialSide, string>>): Recorder {
  const replies: Replies = new Map()
  const send: Recorder['send'] = async (operation, { path = {}, query = {}, body, bytes } = {}, side) => {
    const row = rowNamed(operation)
    const url = row.path.replaceAll(/:(\w+)/g, (_, name: string) => path[name] ?? '')
    const served = row.side === 'any' || row.side === 'everybody' ? 'buyer' : row.side
    const asked = request[row.method](`/v1${url}`)
      .auth(tokens[side ?? served], { type: 'bearer' })
      .query(query)
    if (takesJson(row)) asked.send(body as object)
    if (bytes !== undefined) asked.type('text/csv').send(Buffer.from(bytes))
    const reply = await asked
    checkReply(row.method, url, reply)
    return reply
  }
  return {
    replies,
    send,
    async ask(operation, ask) {
      const { status, body, text } = await send(operation, ask)
      if (status >= 300) throw new Error(`${operation} answered ${status} ${text}`)
      const known = replies.get(operation) ?? new Map<number, unknown>()
      if (!known.has(status)) known.set(status, status === 204 ? undefined : inOrder(operation, body))
      replies.set(operation, known)
      return body
    },
  }
}

/** Sorts the entries of a card by content, since they come in the order of their random ids. */
function inOrder(operation: string, body: { entries?: { locked_rate_id: string }[] }): unknown {
  if (operation !== 'getRateCard') return body
  const keyed = (body.entries ?? []).map((entry) => ({ entry, key: JSON.stringify({ ...entry, locked_rate_id: '' }) }))
  return { ...body, entries: keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry) }
}

function rowNamed(operation: string): Named<Endpoint> {
  const row = ENDPOINTS.find(({ name }) => name === operation)
  if (row === undefined) throw new Error(`the contract has no operation ${operation}`)
  return row
}

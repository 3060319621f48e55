import type { Outbound } from '../../adapters/http/outboundCall.ts'
import { signatureHeaders } from '../../adapters/http/requestSignature.ts'
import { strictJson } from '../../domain/strictJson.ts'
import { withoutTrailingSlashes } from '../../domain/targets/withoutTrailingSlashes.ts'
import { SELLER_CALLS, statusClass } from '../../metrics/work.ts'

/** The base URL of a seller's own API, and the secret that signs requests to it. */
export interface SellerConnection {
  base_url: string
  secret: string
}

export interface SellerRequest {
  method: 'GET' | 'POST' | 'DELETE'
  /** The path relative to the base URL. */
  path: string
  /** The same on every retry of one operation. */
  id: string
  /** The body as JSON text. */
  body?: string
  /** Milliseconds for the whole exchange. */
  deadline: number
  /** Unix seconds of the signature; now if omitted. */
  at?: number
}

/** The result of a call. Nothing else of the seller's response leaves this module. */
export type SellerAnswer =
  /** A status below 500; `body` is the strict JSON of a 200. */
  | { status: number; body?: unknown }
  /** A 200 whose body is not usable: too large, encoded, not JSON, or JSON that repeats a key. */
  | { unusable: 'too_large' | 'encoding' | 'json' }
  /** No response, or a 5xx; the call may be retried. */
  | { unreachable: string }

/** Makes one signed call (choices, Sellers' own APIs). Never throws. */
export async function callSeller(outbound: Outbound, connection: SellerConnection, request: SellerRequest): Promise<SellerAnswer> {
  const answered = SELLER_CALLS.startTimer({ call: request.path.split('/')[1] ?? '' })
  const answer = await call(outbound, connection, request)
  answered({ outcome: outcomeOf(answer) })
  return answer
}

/** Returns a word of a bounded set. */
function outcomeOf(answer: SellerAnswer): string {
  if ('status' in answer) return statusClass(answer.status)
  if ('unusable' in answer) return `unusable_${answer.unusable}`
  return answer.unreachable.startsWith('status_') ? '5xx' : answer.unreachable
}

async function call(outbound: Outbound, connection: SellerConnection, request: SellerRequest): Promise<SellerAnswer> {
  const { method, path, id, body = '', deadline, at: timestamp = Math.floor(Date.now() / 1_000) } = request
  const answer = await outbound.call({
    method,
    url: `${withoutTrailingSlashes(connection.base_url)}${path}`,
    headers: {
      ...signatureHeaders({ id, body, timestamp, secrets: [connection.secret] }),
      accept: 'application/json',
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    },
    ...(method === 'POST' ? { body } : {}),
    deadline,
    maxBytes: MAX_BYTES,
  })
  if ('fault' in answer) return { unreachable: answer.fault }
  const { status, headers, incomplete } = answer
  if (status >= 500) return { unreachable: `status_${status}` }
  if (status !== 200) return { status }
  if (incomplete === 'too_large') return { unusable: 'too_large' }
  if (incomplete !== undefined) return { unreachable: incomplete }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') return { unusable: 'encoding' }
  try {
    return { status, body: strictJson(answer.body) }
  } catch {
    return { unusable: 'json' }
  }
}

const MAX_BYTES = 1024 * 1024

/** Returns the secret in `whsec_` form; any other value is used as its own bytes. */
export function signingSecret(value: string): string {
  return /^whsec_[A-Za-z0-9+/]{4,}={0,2}$/.test(value) ? value : `whsec_${Buffer.from(value).toString('base64')}`
}

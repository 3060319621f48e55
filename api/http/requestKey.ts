import { createHash } from 'node:crypto'
import { IdempotencyHeaders } from '../../src/contract/idempotencyKey.ts'
import { invalid, Refusal, refuseIfAny } from '../../src/domain/refusal.ts'
import { type KeyUsed, keyOfOtherBody, type RequestKey } from '../../src/domain/requestKey.ts'
import type { Call } from './call.ts'
import { REPLAYED, type Reply } from './reply.ts'

/** Returns the Idempotency-Key of a request, if it has one. */
export function requestKey({ headers, raw }: Pick<Call, 'headers' | 'raw'>): RequestKey | undefined {
  const { 'idempotency-key': key } = headers
  if (key === undefined) return undefined
  const { success, error } = IdempotencyHeaders.safeParse({ 'Idempotency-Key': key })
  if (!success) refuseIfAny(error.issues.map(({ message }) => invalid('Idempotency-Key', `Idempotency-Key ${message}.`)))
  return { key: String(key), body_hash: bodyHash(raw) }
}

/** Returns the hash that distinguishes the bodies of requests. */
export function bodyHash(raw: Call['raw']): Buffer {
  return createHash('sha256').update(raw).digest()
}

/** Returns the reply of an earlier request with the same key. CONFLICT if that one had another body, or has no reply yet. */
export function repeatedReply(status: number, used: KeyUsed): Reply {
  if (used === 'other_body') throw keyOfOtherBody()
  if (used === 'under_way')
    throw new Refusal('CONFLICT', 'The first request with this Idempotency-Key is still under way.', { field: 'Idempotency-Key' })
  if (used === 'unreadable')
    throw new Refusal('CONFLICT', 'This Idempotency-Key was used, and its reply can no longer be read.', { field: 'Idempotency-Key' })
  return { status, body: used.reply, headers: REPLAYED }
}

import { Refusal } from './refusal.ts'

/** The caller's own key for a request, and the hash of the request's body. */
export interface RequestKey {
  readonly key: string
  readonly body_hash: Buffer
}

/** The earlier use of a key: its reply, another body, a first request that is still being processed, or a reply under a lost encryption key. */
export type KeyUsed = { readonly reply: string } | 'other_body' | 'under_way' | 'unreadable'

export function keyOfOtherBody(): Refusal {
  return new Refusal('CONFLICT', 'This Idempotency-Key was sent with another body before.', { field: 'Idempotency-Key' })
}

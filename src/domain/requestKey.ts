import { Refusal } from './refusal.ts'

/** The caller's own key for a request, and the hash of the request's body. */
export interface RequestKey {
  readonly key: string
  readonly body_hash: Buffer
}

/** The earlier use of a key: its reply, another body, or a first request that is still being processed. */
export type KeyUsed = { readonly reply: string } | 'other_body' | 'under_way'

export function keyOfOtherBody(): Refusal {
  return new Refusal('CONFLICT', 'This Idempotency-Key was sent with another body before.', { field: 'Idempotency-Key' })
}

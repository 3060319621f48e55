import { Refusal } from './refusal.ts'

/** A caller's own key of a request, and the hash of the body that came with it. */
export interface RequestKey {
  readonly key: string
  readonly body_hash: Buffer
}

/** What a key has answered before: its reply, that it came with another body, or that its first request is still under way. */
export type KeyUsed = { readonly reply: string } | 'other_body' | 'under_way'

export function keyOfOtherBody(): Refusal {
  return new Refusal('CONFLICT', 'This Idempotency-Key was sent with another body before.', { field: 'Idempotency-Key' })
}

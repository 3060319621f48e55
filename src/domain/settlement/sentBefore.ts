import type { Side } from '../../contract/vocabulary/access.ts'
import { Refusal } from '../refusal.ts'
import { keyOfOtherBody } from '../requestKey.ts'

/** How an action was sent: its sender's own key, if there is one, and a hash of the body as hex text. */
export interface SentAction {
  readonly key: string | undefined
  readonly body_hash: string
}

/** How a step was sent; a member is null without a key, or if the step is older than the record of requests. */
export interface SentStep {
  readonly side: Side
  readonly request_key: string | null
  readonly body_hash: string | null
}

/** Returns true if a side has sent an action with this key before. Errors: Refusal CONFLICT if it had another body. */
export function isSentBefore(steps: readonly SentStep[], side: Side, { key, body_hash }: SentAction): boolean {
  const known = key === undefined ? undefined : steps.find((step) => step.side === side && step.request_key === key)
  if (known !== undefined && known.body_hash !== body_hash) throw keyOfOtherBody()
  return known !== undefined
}

/**
 * Refuses a credit without a key whose bytes equal those of an earlier one: after a lost reply and another dispute the sender may be
 * repeating an old request, and the money would be given twice. Errors: Refusal CONFLICT.
 */
export function refuseSecondCredit(steps: readonly SentStep[], side: Side, { key, body_hash }: SentAction): void {
  if (key !== undefined || !steps.some((step) => step.side === side && step.body_hash === body_hash)) return
  const message = 'The same credit was given before: send it with a new Idempotency-Key to give it again, or with another amount or note.'
  throw new Refusal('CONFLICT', message, { field: 'Idempotency-Key' })
}

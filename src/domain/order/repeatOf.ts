import { Refusal } from '../refusal.ts'
import type { Decision } from './decision.ts'
import type { OrderState } from './state.ts'

/** What a rule says of a command: its decision, or its refusal. */
export type Ruling<Outcome> = Decision<Outcome> | Refusal

/** The command whose repeat is asked for. */
interface Repeatable {
  readonly id: string
  readonly isSeen?: (last_seq: number) => boolean
}

/** An order with the newest stored answer for a command or its repeat key, if there is one. */
interface Answered {
  readonly order: OrderState
  readonly stored: { readonly command_id: string; readonly last_seq: number; readonly text: string } | undefined
}

/**
 * Returns the answer to a repeat; undefined for a command that is new (choices, States). A stored answer is repeated to the same command; to
 * a command with its repeat key if nothing has happened since, or if its sender has not seen what has; and to one that the order has moved
 * past (approved, then canceled, then approved again by a retry). Without a stored answer, a rule that changes nothing recognizes a repeat
 * (canceling twice is canceling once). The rule is asked only where that depends on it.
 */
export function repeatOf<Outcome>(
  { order, stored }: Answered,
  { id, isSeen }: Repeatable,
  ruling: () => Ruling<Outcome>,
): { outcome: Outcome } | undefined {
  const answered = stored && { outcome: JSON.parse(stored.text) as Outcome }
  if (stored?.command_id === id || stored?.last_seq === order.last_seq) return answered
  if (isSeen?.(order.last_seq) === false && answered !== undefined) return answered
  const ruled = ruling()
  if (ruled instanceof Refusal) return ruled.code === 'INVALID_STATE' ? answered : undefined
  if (ruled.events.length > 0) return undefined
  return answered ?? { outcome: ruled.outcome(order) }
}

import type { OrderEvent } from '../../contract/event.ts'
import type { Gate, OrderStatus } from '../../contract/vocabulary.ts'

/** The commands of buyers and sellers, by the names under which the history of an order's run shows them. */
export const COMMANDS = ['decided', 'confirmed', 'responded', 'canceled', 'planned', 'superseded'] as const
export type CommandName = (typeof COMMANDS)[number]

/** What a run is told of a command, for the reader of its history. Nothing confidential: no actor, reason, price. */
export interface ToldCommand {
  readonly seq: number
  readonly status: OrderStatus
  /** The gate that decided, confirmed or accepted; null for other commands. */
  readonly gate: Gate | null
}

/** Returns the command that appended these events, with what its run is told; undefined if no buyer or seller gave it. */
export function toldCommand(events: readonly OrderEvent[]): (ToldCommand & { readonly name: CommandName }) | undefined {
  const [first] = events
  const last = events.at(-1)
  const name = first && nameOf(first)
  if (name === undefined || last === undefined) return undefined
  return { name, seq: last.seq, status: last.status, gate: last.decision_record?.gate ?? null }
}

/** The first event says which command it was: a plan that the buyer's band confirms has a second one. */
function nameOf({ artifact, cancellation, decision_record, prior_status, units }: OrderEvent): CommandName | undefined {
  if (artifact?.name === 'plan_proposal') return 'planned'
  if (decision_record !== undefined) {
    if (prior_status === 'needs_confirmation') return 'confirmed'
    return decision_record.decision === 'accept' ? 'responded' : 'decided'
  }
  if (cancellation === undefined) return undefined
  if (cancellation.reason === 'superseded') return 'superseded'
  return units === undefined ? 'canceled' : 'responded' // a withdrawal resolves the countered lines
}

import { type Instant, stampAfter } from '../domain/calendar.ts'
import { type Decision, seal } from '../domain/order/decision.ts'
import { endedQuotes } from '../domain/order/endedQuotes.ts'
import { type DatedMember, lastPlacedAt, placedRevisions, supersededBy } from '../domain/order/family.ts'
import type { OrderHead } from '../domain/order/head.ts'
import { checkRoom } from '../domain/order/logRoom.ts'
import type { OrderState } from '../domain/order/state.ts'
import { type PlacedRevision, placedRevision, supersede } from '../domain/order/supersede.ts'
import type { Tx } from '../store/connection/database.ts'
import type { Append, Held, LockedOrder } from '../store/orders/orderLog.ts'
import { drawsOnCredit, holdToCredit } from './holdToCredit.ts'

/**
 * Appends the events of a decision with its quotes and returns its outcome and the head after it. Also writes everything that follows from
 * them: drawn credit, `also`, and the end of the family's previously placed order. Errors: Superseded, and NeedsTransaction without `held`
 * if there is more to write than one statement can.
 */
export async function carryOut<Outcome, D extends Decision<Outcome>>(
  { order, head, characters, approval, append }: LockedOrder,
  command: Append['command'],
  decision: D & Decision<Outcome>,
  now: Instant,
  held?: Held,
  also?: (tx: Tx, decision: D, after: OrderState) => Promise<void>,
): Promise<{ outcome: Outcome; head: OrderHead }> {
  const family = (held !== undefined && places(decision) ? await held.family() : undefined) ?? []
  // Of two placed orders the later one must have the later stamp, even if machines' clocks differ: closings tell by it which order remains.
  const { events, after, gate_due } = seal(order, decision.events, stampAfter(lastPlacedAt(family), now), { approval, family })
  checkRoom(characters, events)
  const outcome = decision.outcome(after)
  if (events.length === 0) return { outcome, head }
  const { quotes = [] } = decision
  const ended = endedQuotes(order, after, events)
  if (held !== undefined) {
    await endPlaced(held, family, after)
    await holdToCredit(held.tx, order, after)
    await also?.(held.tx, decision, after)
  } else if (drawsOnCredit(order, after)) throw new NeedsTransaction()
  return { outcome, head: await append({ after, events, quotes, ended, gate_due, command, outcome: JSON.stringify(outcome) }) }
}

/** Thrown when a decision writes more than events and quotes. */
export class NeedsTransaction extends Error {}

/** Thrown when a revision of the order was placed before, and its closing has not ended the order yet. */
export class Superseded extends Error {
  readonly by: PlacedRevision
  constructor(by: PlacedRevision) {
    super(`superseded by ${by.order_id}`)
    this.by = by
  }
}

/** The command that ends an order because another one of its family was placed. */
export function superseding(by: PlacedRevision): Append['command'] {
  return { id: `order:${by.order_id}:supersede`, wake: true }
}

function places({ events }: Pick<Decision<unknown>, 'events'>): boolean {
  return events.some(({ status }) => status === 'placed')
}

/**
 * Ends the family's placed order in the commit that places another, since only one may be placed at a time. Its end comes first in the feed
 * and has the same stamp, so that both logs agree on the date when the other takes effect. The closing ends open orders of the family.
 */
async function endPlaced(held: Held, family: readonly DatedMember[], after: OrderState): Promise<void> {
  const { order_id } = after.facts
  const by = family.length === 0 ? undefined : placedRevision(after)
  if (by === undefined) return
  const [earlier] = await held.take(
    placedRevisions(order_id, family)
      .slice(0, 1)
      .map((revision) => revision.order_id),
  )
  const revision = earlier && placedRevision(earlier.order)
  if (revision !== undefined) throw new Superseded(revision)
  const placed = family.filter(({ status }) => status === 'placed').map((member) => member.order_id)
  const superseded = supersededBy(order_id, family).filter((member) => placed.includes(member.order_id))
  const members = await held.take(superseded.map((member) => member.order_id))
  for (const [index, member] of members.entries()) {
    const decision = supersede(member.order, by, superseded[index]?.is_ancestor === true)
    await carryOut(member, superseding(by), decision, by.placed_at, held)
  }
}

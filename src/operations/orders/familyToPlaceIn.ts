import type { Decision } from '../../domain/order/decision.ts'
import { placedRevisions, supersededBy } from '../../domain/order/family.ts'
import { type PlacedRevision, placedRevision } from '../../domain/order/supersede.ts'
import { NO_FAMILY, type PlacingFamily } from '../../domain/order/writesOf.ts'
import type { Appendable, OpenOrder } from '../../store/orders/openOrder.ts'

/** A family in which an order is placed. `successor`: a revision of the order that was placed before, so that the order cannot be. */
export type FamilyToPlaceIn = PlacingFamily<Appendable> & { readonly successor?: PlacedRevision }

/**
 * Loads what a placement finds in the order's family, and locks what it ends. Other decisions concern no family, and without the lock there
 * is none: an append without it does not place in a family.
 */
export async function familyToPlaceIn(
  { order, held }: Pick<OpenOrder, 'order' | 'held'>,
  { events }: Pick<Decision<unknown>, 'events'>,
): Promise<FamilyToPlaceIn> {
  if (held === undefined || !events.some(({ status }) => status === 'placed')) return NO_FAMILY
  const { order_id } = order.facts
  const members = await held.family()
  const [revision] = placedRevisions(order_id, members)
  const [later] = revision === undefined ? [] : await held.take([revision.order_id])
  const successor = later && placedRevision(later.order)
  if (successor !== undefined) return { ...NO_FAMILY, successor }
  const isPlaced = new Set(members.filter(({ status }) => status === 'placed').map((member) => member.order_id))
  const superseded = supersededBy(order_id, members).filter((member) => isPlaced.has(member.order_id))
  const taken = await held.take(superseded.map((member) => member.order_id))
  return { members, placed: taken.map((member, index) => ({ member, is_ancestor: superseded[index]?.is_ancestor === true })) }
}

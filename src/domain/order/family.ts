import { ORDERS_PER_FAMILY } from '../../contract/vocabulary/bounds.ts'
import type { OrderStatus } from '../../contract/vocabulary.ts'
import { addTo } from '../addTo.ts'
import type { Instant } from '../calendar.ts'

/** A member of a family: an order with all of its direct and indirect revisions (choices, States). */
export interface FamilyMember {
  readonly order_id: string
  readonly supersedes: string | null
  readonly status: OrderStatus
}

/** A member with the time when it was placed, even if it has been canceled since, and the time when it was canceled; null if it never was. */
export interface DatedMember extends FamilyMember {
  readonly placed_at: Instant | null
  readonly canceled_at: Instant | null
}

/** Returns the members that a placed one supersedes: the orders that it revises, and all other revisions except its own. */
export function supersededBy(orderId: string, members: readonly FamilyMember[]): { order_id: string; is_ancestor: boolean }[] {
  const ancestors = ancestorsOf(orderId, members)
  const descendants = descendantsOf(orderId, members)
  return members
    .filter(({ order_id, status }) => order_id !== orderId && !descendants.has(order_id) && !hasEnded(status))
    .map(({ order_id }) => ({ order_id, is_ancestor: ancestors.has(order_id) }))
}

/** Returns the placed order that revised a member, directly or through other revisions; it is the one to revise next. */
export function placedSuccessor(orderId: string, members: readonly FamilyMember[]): string | undefined {
  const descendants = descendantsOf(orderId, members)
  return members.find(({ order_id, status }) => status === 'placed' && descendants.has(order_id))?.order_id
}

/** Returns true if a member may be revised: none of its revisions is placed, and the family is not full. */
export function mayBeRevised(orderId: string, members: readonly FamilyMember[]): boolean {
  return placedSuccessor(orderId, members) === undefined && !isFull(members)
}

/** Returns true if the family is at its limit, which bounds the orders that a placement ends. */
export function isFull(members: readonly FamilyMember[]): boolean {
  return members.length >= ORDERS_PER_FAMILY
}

/** Returns the placed revisions of a member, earliest first. If there is one, the member itself can no longer be placed. */
export function placedRevisions(orderId: string, members: readonly DatedMember[]): (DatedMember & { placed_at: Instant })[] {
  const descendants = descendantsOf(orderId, members)
  return members
    .filter(wasPlaced)
    .filter(({ order_id }) => descendants.has(order_id))
    .sort((a, b) => (a.placed_at < b.placed_at ? -1 : 1))
}

/** Returns the time of the family's latest placement; null if there was none. */
export function lastPlacedAt(members: readonly DatedMember[]): Instant | null {
  return members
    .filter(wasPlaced)
    .reduce<Instant | null>((last, { placed_at }) => (last !== null && last > placed_at ? last : placed_at), null)
}

/**
 * Returns from when on an order placed at a time is in force: since its predecessor ended, or since the placement if that ends the
 * predecessor. Undefined if no order of the family was placed before.
 */
export function inForceAt(members: readonly DatedMember[], placedAt: Instant): Instant | undefined {
  const ends = members.filter(wasPlaced).map(({ canceled_at }) => new Date(canceled_at ?? placedAt).toISOString())
  return ends.sort().at(-1)
}

function wasPlaced(member: DatedMember): member is DatedMember & { placed_at: Instant } {
  return member.placed_at !== null
}

function hasEnded(status: OrderStatus): boolean {
  return status === 'canceled' || status === 'rejected' || status === 'failed'
}

function ancestorsOf(orderId: string, members: readonly FamilyMember[]): ReadonlySet<string> {
  const priorOf = new Map(members.map(({ order_id, supersedes }) => [order_id, supersedes]))
  const found = new Set<string>()
  for (let prior = priorOf.get(orderId) ?? null; prior !== null && !found.has(prior); prior = priorOf.get(prior) ?? null) found.add(prior)
  return found
}

function descendantsOf(orderId: string, members: readonly FamilyMember[]): ReadonlySet<string> {
  const revisions = new Map<string, string[]>()
  for (const { order_id, supersedes } of members) if (supersedes !== null) addTo(revisions, supersedes, order_id)
  const found = new Set<string>()
  const open = [orderId]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const revision of revisions.get(next) ?? []) {
      if (!found.has(revision)) open.push(revision)
      found.add(revision)
    }
  }
  return found
}

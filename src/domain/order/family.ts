import { ORDERS_PER_FAMILY, type OrderStatus } from '../../contract/vocabulary.ts'
import type { Instant } from '../calendar.ts'

/** An order and all that revises it, or a revision of it, are one family (choices, States). A member, and which one it revises. */
export interface FamilyMember {
  readonly order_id: string
  readonly supersedes: string | null
  readonly status: OrderStatus
}

/** A member, and when it was placed, whatever has become of it since; null when it never was. */
export interface DatedMember extends FamilyMember {
  readonly placed_at: Instant | null
}

/** What a placed member does away with: the orders that it revises, one after the other, and every other revision that is not one of itself. */
export function supersededBy(orderId: string, members: readonly FamilyMember[]): { order_id: string; is_ancestor: boolean }[] {
  const ancestors = ancestorsOf(orderId, members)
  const descendants = descendantsOf(orderId, members)
  return members
    .filter(({ order_id, status }) => order_id !== orderId && !descendants.has(order_id) && !hasEnded(status))
    .map(({ order_id }) => ({ order_id, is_ancestor: ancestors.has(order_id) }))
}

/** The placed order that has revised a member, directly or by way of other revisions: then that one is to be revised. */
export function placedSuccessor(orderId: string, members: readonly FamilyMember[]): string | undefined {
  const descendants = descendantsOf(orderId, members)
  return members.find(({ order_id, status }) => status === 'placed' && descendants.has(order_id))?.order_id
}

/** Whether one more order may revise a member: while no revision of it is placed, and the family has room. */
export function mayBeRevised(orderId: string, members: readonly FamilyMember[]): boolean {
  return placedSuccessor(orderId, members) === undefined && !isFull(members)
}

/** A placed order ends all others of its family, so that there is a limit to them. */
export function isFull(members: readonly FamilyMember[]): boolean {
  return members.length >= ORDERS_PER_FAMILY
}

/** The revisions of a member that were placed, the first of them first: the member itself can be placed no more. */
export function placedRevisions(orderId: string, members: readonly DatedMember[]): (DatedMember & { placed_at: Instant })[] {
  const descendants = descendantsOf(orderId, members)
  return members
    .filter(wasPlaced)
    .filter(({ order_id }) => descendants.has(order_id))
    .sort((a, b) => (a.placed_at < b.placed_at ? -1 : 1))
}

/** When an order of the family was placed last; null when none ever was. */
export function lastPlacedAt(members: readonly DatedMember[]): Instant | null {
  return members
    .filter(wasPlaced)
    .reduce<Instant | null>((last, { placed_at }) => (last !== null && last > placed_at ? last : placed_at), null)
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
  for (const { order_id, supersedes } of members) {
    if (supersedes !== null) revisions.set(supersedes, [...(revisions.get(supersedes) ?? []), order_id])
  }
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

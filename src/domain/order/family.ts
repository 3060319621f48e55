import type { OrderStatus } from '../../contract/vocabulary.ts'

/** An order and all that revises it, or a revision of it, are one family (choices, States). A member, and which one it revises. */
export interface FamilyMember {
  readonly order_id: string
  readonly supersedes: string | null
  readonly status: OrderStatus
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

/** The revisions of a member that may have been placed before it: then its own placing came too late, and does away with nothing. */
export function placedRevisions(orderId: string, members: readonly FamilyMember[]): string[] {
  const descendants = descendantsOf(orderId, members)
  const mayHaveBeen = ({ order_id, status }: FamilyMember) => descendants.has(order_id) && (status === 'placed' || status === 'canceled')
  return members.filter(mayHaveBeen).map(({ order_id }) => order_id)
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

import type pg from 'pg'
import type { DatedMember } from '../../domain/order/family.ts'
import { lockedTransaction } from '../connection/lockedTransaction.ts'
import { type Credit, creditLock, readCredit } from '../tenants/credit.ts'
import { type Created, createOrders, type NewOrder } from './createOrders.ts'
import { beginFamily, familyLock, readFamily } from './families.ts'
import { readReply } from './storedReply.ts'

/** A create under the locks of what it depends on. */
export interface LockedCreate {
  /** Returns the family of the order that it revises, which cannot change until the commit; empty if there is none. */
  family(): Promise<DatedMember[]>
  /** Returns true if an order has its key, as a concurrent duplicate may. */
  isTaken(): Promise<boolean>
  /** Returns the credit that it draws on; nothing else can draw until the commit. */
  credit(): Promise<Credit>
  create(): Promise<Created>
}

/**
 * Creates an order that depends on what others do: it revises another (`revises`), or draws on the credit of an agreement (`draws_on`), or
 * both. Commits when `work` is done. Creates under one cap run one after another, so that each sees what earlier ones have drawn.
 */
export function createLocked(
  pool: pg.Pool,
  order: NewOrder,
  { revises, draws_on }: CreateLocks,
  work: (create: LockedCreate) => Promise<Created>,
): Promise<Created> {
  const { facts, request } = order.order
  const [lock, second] = [
    ...(revises === undefined ? [] : [familyLock(revises)]),
    ...(draws_on === undefined ? [] : [creditLock(draws_on)]),
  ]
  if (lock === undefined) throw new Error('a create that depends on nothing takes no lock')
  return lockedTransaction(pool, lock, async (client) => {
    if (second !== undefined) await client.query(second)
    return work({
      family: async () => (revises === undefined ? [] : ((await readFamily(client, revises)) ?? [])),
      isTaken: async () => (await readReply(client, facts.buyer_entity, request.external_order_id)) !== undefined,
      credit: () => readCredit(client, draws_on ?? '', { supersedes: revises }),
      async create() {
        const [outcome] = await createOrders(client, [order])
        if (outcome === 'created' && revises !== undefined) await beginFamily(client, revises)
        return outcome as Created
      },
    })
  })
}

/** The order that a create revises, and the agreement on whose credit it draws: at least one of them. */
export interface CreateLocks {
  readonly revises: string | undefined
  readonly draws_on: string | undefined
}

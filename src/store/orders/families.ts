import type pg from 'pg'
import { ORDERS_PER_FAMILY } from '../../contract/vocabulary/bounds.ts'
import type { DatedMember } from '../../domain/order/family.ts'
import { statement } from '../connection/statement.ts'

/** Returns an order with everything that revises it, and what it revises; undefined for an order without a family. */
export async function readFamily(on: Pick<pg.Pool, 'query'>, orderId: string): Promise<DatedMember[] | undefined> {
  const { rows } = await on.query<DatedMember>(FAMILY.bind({ order_id: orderId }))
  return rows.length === 0 ? undefined : rows
}

/** Reads every member of an order's family; no row for an order without one. */
const FAMILY = statement(
  'read-family',
  ['order_id'],
  `select m.order_id, m.supersedes, m.status, m.placed_at, case when m.status = 'canceled' then m.updated_at end as canceled_at from orders own join orders m on m.root = own.root
    where own.order_id = :order_id limit ${2 * ORDERS_PER_FAMILY}`,
)

/**
 * Locks the family of an order, then the order itself. A family's lock is that of its first order, and is taken before any other member's;
 * an order without a family locks itself. Placing in a family or adding to it requires this lock, so that each change sees the one before.
 */
export function familyLock(orderId: string): pg.QueryConfig {
  return LOCK_FAMILY.bind({ order_id: orderId })
}

/** Takes the lock of the family of an order and then that of the order, until the transaction ends. */
const LOCK_FAMILY = statement(
  'lock-family',
  ['order_id'],
  `with family as materialized (
      select coalesce(root, order_id) as first_order from orders where order_id = :order_id
    ), held as materialized (
      select pg_advisory_xact_lock(hashtextextended(first_order, 0)) from family
    )
    select pg_advisory_xact_lock(hashtextextended(:order_id, 0)) from held`,
)

/** Locks members of a family whose lock is held. */
export async function lockMembers(client: pg.PoolClient, orderIds: readonly string[]): Promise<void> {
  await client.query(LOCK_MEMBERS.bind({ order_ids: orderIds }))
}

/** Takes the locks of several orders until the transaction ends. */
const LOCK_MEMBERS = statement(
  'lock-members',
  ['order_ids'],
  'select pg_advisory_xact_lock(hashtextextended(id, 0)) from unnest(:order_ids::text[]) as id',
)

/** Makes an order the first of a family when it gets its first revision. The caller holds its lock. */
export async function beginFamily(client: pg.PoolClient, revised: string): Promise<void> {
  await client.query(BEGIN_FAMILY.bind({ order_id: revised }))
}

/** Makes an order the root of its own family if it has none. */
const BEGIN_FAMILY = statement(
  'begin-family',
  ['order_id'],
  'update orders set root = order_id where order_id = :order_id and root is null',
)

import type { SellerProfile } from '../../contract/seller.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** The state of asking a seller's API about one order. */
export interface RemoteRequest {
  seller: string
  buyer: string
  profile: SellerProfile
  /** Whether the order waits with its seller, and its gate is the seller's API. */
  waits: boolean
  last_seq: number
  accepted: boolean
  asks: number
  unreachable: number
}

type Pool = Pick<Database, 'pool'>

/** Returns undefined if there is no such order. */
export async function readRemoteRequest({ pool }: Pool, orderId: string): Promise<RemoteRequest | undefined> {
  const { rows } = await pool.query<RemoteRequest>(READ.bind({ order_id: orderId }))
  return rows[0]
}

/**
 * Stores the outcome of one ask, and shows `stuckReason` (null: none) on an order that still waits. Wakes its run if the reason changes.
 */
export async function noteRemoteRequest(
  { pool }: Pool,
  orderId: string,
  { accepted, asks, unreachable }: Pick<RemoteRequest, 'accepted' | 'asks' | 'unreachable'>,
  stuckReason: string | null,
): Promise<void> {
  await pool.query(NOTE.bind({ order_id: orderId, accepted, asks, unreachable, stuck_reason: stuckReason }))
}

/** Reads an order, its seller and the outcome of the asks so far; no row if there is no such order. */
const READ = statement(
  'read-remote-ask',
  ['order_id'],
  `select o.seller, o.buyer_entity as buyer, o.last_seq, s.profile, o.status = 'seller_review' and o.gate_due is not distinct from 'pull' as waits,
      coalesce(a.accepted, false) as accepted, coalesce(a.asks, 0) as asks, coalesce(a.unreachable, 0) as unreachable
    from orders o join sellers s on s.seller = o.seller left join remote_asks a on a.order_id = o.order_id where o.order_id = :order_id`,
)

/** Stores the outcome of an ask, and wakes the run of an order whose stuck_reason changes. Returns nothing. */
const NOTE = statement(
  'note-remote-ask',
  ['order_id', 'accepted', 'asks', 'unreachable', 'stuck_reason'],
  `with note as (
      insert into remote_asks (order_id, accepted, asks, unreachable, asked_at) values (:order_id, :accepted, :asks, :unreachable, now())
      on conflict (order_id) do update set accepted = :accepted, asks = :asks, unreachable = :unreachable, asked_at = now()
    ), shown as (
      update orders set stuck_reason = :stuck_reason
      where order_id = :order_id and status = 'seller_review' and gate_due = 'pull' and stuck_reason is distinct from :stuck_reason returning order_id
    )
    insert into outbox (kind, target) select 'order', order_id from shown`,
)

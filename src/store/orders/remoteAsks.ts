import type { SellerProfile } from '../../contract/seller.ts'
import type { Database } from '../connection/database.ts'

/** How the asking of a seller's API about one order stands. */
export interface RemoteAsk {
  seller: string
  buyer: string
  profile: SellerProfile
  /** It waits with its seller, and its gate is the seller's API. */
  waits: boolean
  last_seq: number
  accepted: boolean
  asks: number
  unreachable: number
}

type Pool = Pick<Database, 'pool'>

/** Undefined when there is no such order. */
export async function readRemoteAsk({ pool }: Pool, orderId: string): Promise<RemoteAsk | undefined> {
  const { rows } = await pool.query<RemoteAsk>({ ...READ, values: [orderId] })
  return rows[0]
}

/**
 * Keeps what one ask has come to, and shows `stuckReason` (null: none) on an order that still waits. Its run is woken when that changes.
 */
export async function noteRemoteAsk(
  { pool }: Pool,
  orderId: string,
  { accepted, asks, unreachable }: Pick<RemoteAsk, 'accepted' | 'asks' | 'unreachable'>,
  stuckReason: string | null,
): Promise<void> {
  await pool.query({ ...NOTE, values: [orderId, accepted, asks, unreachable, stuckReason] })
}

const READ = {
  name: 'read-remote-ask',
  text: `select o.seller, o.buyer_entity as buyer, o.last_seq, s.profile, o.status = 'seller_review' and o.gate_due is not distinct from 'pull' as waits,
      coalesce(a.accepted, false) as accepted, coalesce(a.asks, 0) as asks, coalesce(a.unreachable, 0) as unreachable
    from orders o join sellers s on s.seller = o.seller left join remote_asks a on a.order_id = o.order_id where o.order_id = $1`,
}

const NOTE = {
  name: 'note-remote-ask',
  text: `with note as (
      insert into remote_asks (order_id, accepted, asks, unreachable, asked_at) values ($1, $2, $3, $4, now())
      on conflict (order_id) do update set accepted = $2, asks = $3, unreachable = $4, asked_at = now()
    ), shown as (
      update orders set stuck_reason = $5
      where order_id = $1 and status = 'seller_review' and gate_due = 'pull' and stuck_reason is distinct from $5 returning order_id
    )
    insert into outbox (kind, target) select 'order', order_id from shown`,
}

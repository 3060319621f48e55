import type { BookedSpots } from '../../domain/settlement/bookedSpots.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** An order that was placed, as rows of sellers name it. */
export interface BookedOrder {
  readonly order_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly external_order_id: string
  readonly seller_order_id: string | null
  readonly agreement_id: string | null
  readonly currency: string
  /** Its last event. */
  readonly booked_seq: number
}

/**
 * Writes what an order books, and marks it to be reconciled. Of spots that were written before only units and amounts change. What a later event of the
 * order has written stays.
 */
export async function bookSpots({ pool }: Pick<Database, 'pool'>, order: BookedOrder, spots: readonly BookedSpots[]): Promise<void> {
  await pool.query(BOOK.bind({ ...order, spots: JSON.stringify(spots) }))
}

const BOOK = statement(
  'book-spots',
  ['order_id', 'seller', 'buyer_entity', 'external_order_id', 'seller_order_id', 'agreement_id', 'currency', 'booked_seq', 'spots'],
  `
  with head as (
    insert into booked_orders as b (order_id, seller, buyer_entity, external_order_id, seller_order_id, agreement_id, currency, booked_seq)
    values (:order_id, :seller, :buyer_entity, :external_order_id, :seller_order_id, :agreement_id, :currency, :booked_seq)
    on conflict (order_id) do update set booked_seq = excluded.booked_seq where b.booked_seq is null or b.booked_seq < excluded.booked_seq
    returning order_id, seller
  ), spots as (
    insert into booked_spots as b (order_id, unit_id, air_date, kind, seller, network, product_id, units, spot_length, windows, isci, price, gross)
    select h.order_id, s.unit_id, s.air_date, s.kind, h.seller, s.network, s.product_id, s.units, s.spot_length, s.windows, s.isci, s.price, s.gross
    from head h cross join json_to_recordset(:spots::json) as s (
      unit_id text, air_date date, kind text, network text, product_id text, units integer, spot_length integer, windows json, isci json, price numeric,
      gross numeric)
    on conflict (order_id, unit_id, air_date, kind) do update set units = excluded.units, gross = excluded.gross
    returning order_id, seller, network, air_date, isci
  ), copies as (
    insert into booked_copies (seller, network, isci, air_date, order_id)
    select distinct s.seller, s.network, code, s.air_date, s.order_id from spots s cross join json_array_elements_text(s.isci) as code
    on conflict do nothing
  )
  insert into reconcile_due (order_id, seller) select order_id, seller from head
  on conflict (order_id) do update set marked_at = excluded.marked_at`,
)

import type { IsoDate } from '../../domain/calendar.ts'
import type { BookedGuarantee } from '../../domain/settlement/bookedGuarantees.ts'
import type { BookedSpots } from '../../domain/settlement/bookedSpots.ts'
import type { Database } from '../connection/database.ts'
import { lockedTransaction, lockOn } from '../connection/lockedTransaction.ts'
import { statement } from '../connection/statement.ts'
import { markDue } from './reconcileQueue.ts'

/** A placed order, with the ids that sellers' rows may name it by. */
export interface BookedOrder {
  readonly order_id: string
  readonly seller: string
  readonly buyer_entity: string
  readonly external_order_id: string
  readonly seller_order_id: string | null
  readonly agreement_id: string | null
  readonly currency: string
  /** The seq of its last event. */
  readonly booked_seq: number
  readonly guarantees: readonly BookedGuarantee[]
  /** The first date on which it books nothing any more, since it was canceled; null if it was not. */
  readonly ends_on: IsoDate | null
}

/**
 * Writes what an order books, and marks it for reconciliation. Changes only units and amounts of spots written before, and dates without
 * units are found by no copy. Keeps what a later
 * event has written. Writes many spots and codes in several transactions, since the feed waits for each: the last one books the order, and
 * another attempt writes only what is missing. Returns false, without writing the rest, if the order has moved on since it was read.
 */
export async function bookSpots({ pool }: Pick<Database, 'pool'>, order: BookedOrder, spots: readonly BookedSpots[]): Promise<boolean> {
  const parts = partsOf(spots)
  for (const [index, part] of parts.entries()) {
    const is_last = index === parts.length - 1
    const book = BOOK.bind({ ...order, guarantees: JSON.stringify(order.guarantees), spots: JSON.stringify(part), is_last })
    const { rows } = await lockedTransaction(pool, lockOn(order.order_id), (client) => client.query<{ is_current: boolean }>(book))
    if (rows[0]?.is_current !== true) return false
  }
  return true
}

/** The approximate rows per transaction, which take some tenths of a second. */
export const ROWS_PER_BATCH = 10_000

/** Splits spots into parts of as many rows as a transaction writes; a single part if there are no spots. */
function partsOf(spots: readonly BookedSpots[]): BookedSpots[][] {
  const parts: BookedSpots[][] = [[]]
  let rows = 0
  for (const spot of spots) {
    const more = 1 + spot.isci.length
    if (rows > 0 && rows + more > ROWS_PER_BATCH) {
      parts.push([])
      rows = 0
    }
    parts.at(-1)?.push(spot)
    rows += more
  }
  return parts
}

/**
 * Writes nothing unless the order is as it was read. The order's lock keeps it so to the end of the transaction. A row lock would not do:
 * a credit that holds the order's reconciliation waits for that row, and a new result, whose mark is written here, for the reconciliation.
 */
const BOOK = statement(
  'book-spots',
  [
    ...['order_id', 'seller', 'buyer_entity', 'external_order_id', 'seller_order_id', 'agreement_id', 'currency', 'booked_seq'],
    ...['guarantees', 'ends_on', 'spots', 'is_last'],
  ],
  `
  with own as materialized (
    select order_id from orders where order_id = :order_id and last_seq = :booked_seq::int
  ), head as (
    insert into booked_orders as b (order_id, seller, buyer_entity, external_order_id, seller_order_id, agreement_id, currency, booked_seq, guarantees, ends_on)
    select order_id, :seller, :buyer_entity, :external_order_id, :seller_order_id, :agreement_id, :currency,
      case when :is_last::boolean then :booked_seq::int end, :guarantees::json, :ends_on::date
    from own
    on conflict (order_id) do update set booked_seq = coalesce(excluded.booked_seq, b.booked_seq), guarantees = excluded.guarantees, ends_on = excluded.ends_on
      where b.booked_seq is null or b.booked_seq < :booked_seq::int
    returning order_id, seller
  ), spots as (
    insert into booked_spots as b (order_id, unit_id, air_date, kind, seller, network, product_id, units, spot_length, windows, isci, price, gross)
    select h.order_id, s.unit_id, s.air_date, s.kind, h.seller, s.network, s.product_id, s.units, s.spot_length, s.windows, s.isci, s.price, s.gross
    from head h cross join json_to_recordset(:spots::json) as s (
      unit_id text, air_date date, kind text, network text, product_id text, units integer, spot_length integer, windows json, isci json, price numeric,
      gross numeric)
    on conflict (order_id, unit_id, air_date, kind) do update set units = excluded.units, gross = excluded.gross
      where (b.units, b.gross) is distinct from (excluded.units, excluded.gross)
    returning order_id, seller, network, air_date, isci, units
  ), emptied as (
    delete from booked_copies c using spots s where s.units = 0 and c.order_id = s.order_id and c.air_date = s.air_date
  ), copies as (
    insert into booked_copies (seller, network, isci, air_date, order_id)
    select s.seller, s.network, code, s.air_date, s.order_id from spots s cross join json_array_elements_text(s.isci) as code
    where s.units > 0
    on conflict do nothing
  ), ${markDue('select order_id from head where :is_last::boolean')}
  select exists (select from own) as is_current`,
)

/** Lists the placed orders of a seller whose closing step has not booked them yet, so that rows can name them. */
export async function listOrdersToBook({ pool }: Pick<Database, 'pool'>, seller: string): Promise<void> {
  await pool.query(NOT_CLOSED.bind({ seller }))
}

/** Lists the orders; orders that have not closed have a due time, whose index finds them. */
const NOT_CLOSED = statement(
  'list-orders-to-book',
  ['seller'],
  `insert into booked_orders (order_id, seller, buyer_entity, external_order_id, seller_order_id, agreement_id, currency)
    select o.order_id, o.seller, o.buyer_entity, o.external_order_id, (
        select artifact->>'seller_order_id' from json_array_elements((snapshot_head || snapshot_lines || '}')::json->'artifacts') as artifact
        where artifact->>'name' = 'placement_receipt' limit 1
      ), o.agreement_id, r.facts::json->>'currency'
    from orders o join order_records r using (order_id)
    where o.seller = :seller and o.placed_at is not null and not o.closed and o.due_at is not null
      and not exists (select from booked_orders b where b.order_id = o.order_id)
    order by o.order_id
  on conflict (order_id) do nothing`,
)

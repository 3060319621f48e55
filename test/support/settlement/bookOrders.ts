import type { Database } from '../../../src/store/connection/database.ts'

/** An order as `bookSpots` leaves it, without a log, for code that reads only the bookings. */
export interface Booked {
  readonly order_id: string
  readonly seller?: string
  readonly seller_order_id?: string
  readonly external_order_id?: string
  readonly currency?: string
  readonly units?: readonly string[]
  readonly network?: string
  readonly air_dates?: readonly string[]
  readonly isci?: readonly string[]
}

/** Books one spot for each line of the orders. */
export async function bookOrders({ pool }: Pick<Database, 'pool'>, ...orders: readonly Booked[]): Promise<void> {
  for (const order of orders) {
    const { order_id, seller = 'station', seller_order_id = null, external_order_id = `ext-${order_id}`, currency = 'USD' } = order
    const { units = [], network = 'CBL', air_dates = ['2026-12-07'], isci = [] } = order
    await pool.query(
      `insert into booked_orders (order_id, seller, buyer_entity, external_order_id, seller_order_id, currency, booked_seq) values ($1, $2, 'acme', $3, $4, $5, 1)`,
      [order_id, seller, external_order_id, seller_order_id, currency],
    )
    await pool.query(
      `insert into booked_spots (order_id, unit_id, air_date, kind, seller, network, product_id, units, spot_length, windows, isci, price, gross)
       select $1, unit, air_date::date, 'spot', $3, $4, 'p', 1, 30, '[{"start":"20:00","end":"23:00"}]', $5, 100, 100 from unnest($6::text[]) as unit, unnest($2::text[]) as air_date`,
      [order_id, air_dates, seller, network, JSON.stringify(isci), units],
    )
    await pool.query(
      `insert into booked_copies (seller, network, isci, air_date, order_id) select $1, $2, code, air_date::date, $4 from unnest($5::text[]) as code, unnest($3::text[]) as air_date`,
      [seller, network, air_dates, order_id, isci],
    )
  }
}

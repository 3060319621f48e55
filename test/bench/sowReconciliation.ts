import type { Stage } from './stage.ts'

export interface Sowing {
  /** A seller that exists. */
  readonly seller: string
  readonly orders: number
  /** Of each order: a spot on each of so many dates of a line, each aired, and all but the first billed. */
  readonly spots: number
  /** Whether the eighth spot of every second order was preempted, and an agreed makegood aired and was billed on the day after: of 50 spots, 1 %. */
  readonly preempted: boolean
}

/** The place of the spot of an order that was preempted. */
const PREEMPTED = 7

/** Writes spots and rows as closing steps and file drops leave them, for buyer northlight-media, from 2027-02-01 on. */
export async function sowReconciliation(
  { pool }: Pick<Stage, 'pool'>,
  { seller, orders: count, spots: perOrder, preempted }: Sowing,
): Promise<void> {
  const orders = `generate_series(1, ${count}) as o`
  const spots = `${orders} cross join generate_series(0, ${perOrder - 1}) as s`
  const isPreempted = preempted ? `o % 2 = 0 and s = ${PREEMPTED}` : 'false'
  const rowOf = (
    day: string,
    ran: string,
    row: string,
  ) => `'${seller}', 'ord_' || o, 'N' || o % 20, date '2027-02-01' + ${day}, date '2027-02-01' + ${day},
    '20:' || lpad((o * s % 60)::text, 2, '0'), 'calendar', 30, 'COPY' || o, 'unit_' || o, ${ran}, 1, 'f', ${row}`
  const aired = rowOf('s', `not (${isPreempted})`, `o * ${perOrder} + s`)
  const madeGood = rowOf('s + 1', 'true', `${(count + 1) * perOrder} + o`)
  const columns =
    'seller, order_id, network, broadcast_date, air_date, air_time, clock, spot_length, isci, unit_id, ran, registration, file, row'
  for (const statement of [
    `insert into booked_orders (order_id, seller, buyer_entity, external_order_id, currency, booked_seq)
      select 'ord_' || o, '${seller}', 'northlight-media', 'ext-' || o, 'USD', 1 from ${orders}`,
    `insert into booked_spots (order_id, unit_id, air_date, kind, seller, network, product_id, units, spot_length, windows, isci, price, gross)
      select 'ord_' || o, 'unit_' || o, date '2027-02-01' + s, 'spot', '${seller}', 'N' || o % 20, 'p', 1, 30, '[{"start":"20:00","end":"23:00"}]',
        json_build_array('COPY' || o), 100, 100 from ${spots}`,
    `insert into as_run_days select '${seller}', 'N' || n, date '2027-02-01' + s, '', 0, 1, 'f' from generate_series(0, 19) n, generate_series(0, ${perOrder}) s`,
    `insert into as_run_rows (${columns}, log_id, status) select ${aired}, '', case when ${isPreempted} then 'Preempted' else 'Aired' end from ${spots}`,
    `insert into seller_invoices (seller, invoice_number, invoice_date, broadcast_month, revision, registration, file)
      select '${seller}', 'I' || o, '2027-03-01', '2027-02', 0, 1, 'f' from ${orders}`,
    `insert into billed_rows (${columns}, invoice_number, broadcast_month, rate)
      select ${aired}, 'I' || o, '2027-02', case when s % 25 = 0 then 110 else 100 end from ${spots} where s > 0 and not (${isPreempted})`,
    `insert into as_run_rows (${columns}, log_id, status) select ${madeGood}, '', 'Aired' from ${spots} where ${isPreempted}`,
    `insert into billed_rows (${columns}, invoice_number, broadcast_month, rate) select ${madeGood}, 'I' || o, '2027-02', 100 from ${spots} where ${isPreempted}`,
    // The orders themselves are not read.
    'alter table makegoods drop constraint if exists makegoods_order_id_fkey',
    `insert into makegoods (makegood_id, order_id, seller, buyer_entity, status, version, missed, offers, agreed, agreed_outside, product_ids, followed, created_at, updated_at)
      select 'mkg_' || o, 'ord_' || o, '${seller}', 'northlight-media', 'accepted', 1,
        json_build_array(json_build_object('unit_id', 'unit_' || o, 'date', date '2027-02-01' + s, 'units', 1, 'reason_code', 'preempted')), '[]',
        json_build_object('offer_id', '1', 'product_id', 'p', 'network', 'N' || o % 20, 'date', date '2027-02-01' + s + 1, 'units', 1, 'spot_length', 30,
          'windows', '[{"start":"20:00","end":"23:00"}]'::json, 'gross', 100, 'billing', 'aired', 'replaces',
          json_build_array(json_build_object('unit_id', 'unit_' || o, 'network', 'N' || o % 20, 'date', date '2027-02-01' + s, 'units', 1, 'gross', 100))),
        false, '{p}', true, now(), now() from ${spots} where ${isPreempted}`,
    `create table if not exists bench_joined (order_id text, unit_id text, network text, air_date date, ordered integer, aired integer, billed integer,
      ordered_gross numeric, billed_gross numeric, primary key (order_id, unit_id, network, air_date))`,
    'vacuum analyze',
  ])
    await pool.query(statement)
}

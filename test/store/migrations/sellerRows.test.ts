import { expect, it } from '@jest/globals'
import { useOldDatabase } from '../../support/useOldDatabase.ts'

const old = useOldDatabase()

it('keeps the delivery posts of an earlier version with the orders that they name', async () => {
  await old.migrateToBefore('0115_booked_spots')
  const order = (id: string, receipt: object[], placed: string | null) => `
    insert into orders (order_id, seller, buyer_entity, external_order_id, workflow, status, last_seq, created_at, updated_at, snapshot_head, snapshot_lines, placed_at)
    values ('${id}', 'cable', 'acme', 'ext-${id}', 'catalog', 'placed', 3, now(), now(), '{"order_id":"${id}"', ',"artifacts":${JSON.stringify(receipt)}', ${placed});
    insert into order_records (order_id, request_sha256, request, facts, reply) values ('${id}', '', '{}', '{"currency":"USD"}', '{}');`
  const airing = { network: 'CBL', air_date: '2026-12-07', air_time: '05:10', clock: 'calendar', spot_length: 30 }
  const sent: [string, string | null, object][] = [
    ['as_run', 'ord_1', { ...airing, record_type: 'as_run', order_id: 'ord_1', status: 'joined in progress' }],
    ['as_run', null, { ...airing, record_type: 'as_run', status: 'Aired', isci: 'X' }],
    [
      'invoice',
      null,
      {
        ...airing,
        record_type: 'invoice',
        seller_order_id: 'S-2',
        invoice_number: 'I',
        invoice_date: '2026-12-28',
        broadcast_month: '2026-12',
        currency: 'USD',
        run_code: 'N',
        rate: 12.5,
        invoice_gross: 25,
      },
    ],
    [
      'post',
      'ord_1',
      {
        record_type: 'post',
        unit_id: 'u',
        network: 'CBL',
        air_date: '2026-12-07',
        audience_code: 'A',
        stream: 'C3',
        impressions: 5,
        final: true,
      },
    ],
  ]
  await old.pool.query(`
    insert into tenants (entity, side, name) values ('cable', 'seller', 'Cable');
    insert into sellers (seller, profile) values ('cable', '{}');
    ${order('ord_1', [], 'now()')}
    ${order('ord_2', [{ name: 'placement_receipt', seller_order_id: 'S-2' }], 'now()')}
    ${order('ord_3', [], 'null')}
    insert into drops (seller, drop_id, run_no, schema_version, files) values ('cable', 'd', 1, '1.0', '[]');`)
  for (const [index, [type, orderId, body]] of sent.entries())
    await old.pool.query(
      `insert into delivery_posts (seller, drop_id, run_no, file, row, registration, record_type, identity, revision, order_id, body)
       values ('cable', 'd', 1, 'f', $1, 1, $2, '[]', 4, $3, $4)`,
      [index + 1, type, orderId, JSON.stringify(body)],
    )

  await old.migrateToNow()
  expect(await old.rows('select order_id, seller_order_id, currency, booked_seq from booked_orders order by 1')).toEqual([
    { order_id: 'ord_1', seller_order_id: null, currency: 'USD', booked_seq: null },
    { order_id: 'ord_2', seller_order_id: 'S-2', currency: 'USD', booked_seq: null },
  ])
  expect(await old.rows('select order_id, broadcast_date::text, ran, row from as_run_rows')).toEqual([
    { order_id: 'ord_1', broadcast_date: '2026-12-06', ran: true, row: '1' },
  ])
  expect(await old.rows('select order_id, rate, ran from billed_rows')).toEqual([{ order_id: 'ord_2', rate: '12.5', ran: false }])
  expect(await old.rows('select invoice_number, gross, revision from seller_invoices')).toEqual([
    { invoice_number: 'I', gross: '25', revision: '4' },
  ])
  expect(await old.rows('select order_id, impressions, final from post_rows')).toEqual([
    { order_id: 'ord_1', impressions: '5', final: true },
  ])
  expect(await old.rows('select order_id, attempts, due_at <= now() as is_due from reconcile_due order by 1')).toEqual([
    { order_id: 'ord_1', attempts: 0, is_due: true },
    { order_id: 'ord_2', attempts: 0, is_due: true },
  ])
})

import { beforeAll, describe, expect, it } from '@jest/globals'
import type { SellerRow } from '../../../src/domain/settlement/sellerRows.ts'
import { readToReconcile } from '../../../src/store/settlement/readToReconcile.ts'
import { aBill, anAiring } from '../../support/settlement/aSellerRow.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { writeRows } from '../../support/settlement/reconciling.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const SELLER = 'station'
const NETWORK = 'Summit "One", \\ tab\tline\n{x} ☃'
const db = useDatabase()

const AIRINGS: SellerRow[] = [
  anAiring({ unit_id: 'unit_a', makegood_for_unit_id: 'unit_b', makegood_for_date: '2026-12-06' }),
  anAiring({ network: NETWORK, isci: undefined, clock: 'broadcast', air_time: '29:59' }),
  anAiring({ air_time: undefined, ran: false, reason: 'preempted, by news' }),
  // Differ from each other in date and time alone.
  ...['20:10', '20:10', '20:10:30', undefined].map((air_time) => anAiring({ air_time, isci: 'ALIKE' })),
  anAiring({ air_date: '2026-12-08', isci: 'ALIKE' }),
]
const BILLS: SellerRow[] = [aBill({ rate: 0.335, invoice_number: 'I "1"' }), aBill({ ran: false, air_time: undefined, spot_length: 15 })]
/** With commas and control characters, which separate values elsewhere. */
const SEPARATORS: SellerRow[] = [anAiring({ isci: 'CODE,1', network: '\u001f', unit_id: ',,' }), aBill({ isci: '\u001e' })]

beforeAll(async () => {
  await db.owner().query(`insert into tenants (entity, side, name) values ('${SELLER}', 'seller', 'Station')`)
  await db.owner().query(`insert into sellers (seller, profile) values ('${SELLER}', '{}')`)
  await bookOrders(db, { order_id: 'ord_rows', units: ['unit_a', 'unit_b'], network: NETWORK, isci: ['A|1', 'B\u001f'] })
  await bookOrders(db, { order_id: 'ord_none' })
  await bookOrders(db, { order_id: 'ord_separators', units: ['unit_c'] })
  const of = (order_id: string, rows: readonly SellerRow[]) => rows.map((row) => ({ order_id, row }))
  await writeRows(db, SELLER, [...of('ord_rows', [...AIRINGS, ...BILLS]), ...of('ord_separators', SEPARATORS)])
})

/** What rows say, in an order of its own: they are read in any. */
const said = (rows: readonly SellerRow[]) =>
  rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([, value]) => value !== undefined)
          .sort(),
      ),
    )
    .sort()

describe('orders to reconcile', () => {
  const read = async (...ids: string[]) => new Map((await readToReconcile(db, SELLER, ids)).map((order) => [order.head.order_id, order]))

  it('are read as they were written, with the months of their invoices', async () => {
    const orders = await read('ord_none', 'ord_rows', 'ord_unknown')
    expect([...orders.keys()].sort()).toEqual(['ord_none', 'ord_rows'])
    const { booked = [], rows = [], invoiceMonths } = orders.get('ord_rows') ?? {}
    expect(said(rows)).toEqual(said([...AIRINGS, ...BILLS]))
    expect(booked.map(({ unit_id }) => unit_id).sort()).toEqual(['unit_a', 'unit_b'])
    expect(booked[0]).toMatchObject({
      ...{ network: NETWORK, air_date: '2026-12-07', kind: 'spot', product_id: 'p', units: 1, spot_length: 30, price: '100', gross: '100' },
      ...{ windows: [{ start: '20:00', end: '23:00' }], isci: ['A|1', 'B\u001f'] },
    })
    expect([...(invoiceMonths ?? [])].sort()).toEqual([
      ['I "1"', '2026-12'],
      ['INV-1', '2026-12'],
    ])
    expect(orders.get('ord_none')).toMatchObject({ booked: [], rows: [], invoiceMonths: new Map() })
  })

  it('are read as they were written where their texts contain separators', async () => {
    const orders = await read('ord_separators', 'ord_rows')
    expect(said(orders.get('ord_separators')?.rows ?? [])).toEqual(said(SEPARATORS))
    expect(said(orders.get('ord_rows')?.rows ?? [])).toEqual(said([...AIRINGS, ...BILLS]))
  })
})

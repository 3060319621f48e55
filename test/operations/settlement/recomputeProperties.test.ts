import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { BookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import type { ReconcileInput } from '../../../src/domain/settlement/reconcile.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { markDue, writeRows } from '../../support/settlement/reconciling.ts'
import { someInput } from '../../support/settlement/someReconciliation.ts'
import { useReconciling } from '../../support/settlement/useReconciling.ts'

const SELLER = 'station'
const { db, recompute } = useReconciling(SELLER)

const book = async (order_id: string, booked: readonly BookedSpots[]) => {
  await db.pool.query(
    `insert into booked_orders (order_id, seller, buyer_entity, external_order_id, currency, booked_seq) values ($1, $2, 'acme', $1, 'USD', 1)`,
    [order_id, SELLER],
  )
  await db.pool.query(
    `insert into booked_spots (order_id, unit_id, air_date, kind, seller, network, product_id, units, spot_length, windows, isci, price, gross)
      select $1, unit_id, air_date, kind, $2, network, product_id, units, spot_length, windows, isci, price, gross
      from json_populate_recordset(null::booked_spots, $3) on conflict do nothing`,
    [order_id, SELLER, JSON.stringify(booked)],
  )
  await markDue(db, SELLER, [order_id])
}
const stored = async () =>
  (
    await db.owner().query(`select order_id, revision, result, encode(digest, 'hex') as digest, coverage, totals, xmin::text,
      (select json_agg(body order by line) from reconciliation_lines l where (l.order_id, l.result) = (r.order_id, r.result)) as lines
      from reconciliations r order by order_id`)
  ).rows
/** Lines whose columns or number are not those of their body. */
const misfiled = async () =>
  (
    await db.owner().query(`select order_id, line from (
        select *, row_number() over (partition by order_id, result order by unit_id is null, unit_id, network, air_date) as place,
          array(select v->>'code' from json_array_elements(body->'variances') with ordinality as listed (v, n) group by 1 order by min(n)) as found
        from reconciliation_lines
      ) l join reconciliations r using (order_id)
      where (l.seller, l.buyer_entity) is distinct from (r.seller, r.buyer_entity) or line <> place or l.codes <> found
        or (unit_id, network, air_date::text, broadcast_month)
          is distinct from (body->>'unit_id', body->>'network', body->>'air_date', body->>'broadcast_month')`)
  ).rows
const TABLES = [
  'reconcile_due',
  'reconciliations',
  'reconciliation_lines',
  'booked_orders',
  'as_run_rows',
  'as_run_days',
  'billed_rows',
  'seller_invoices',
]
const empty = async () => {
  for (const table of TABLES) await db.pool.query(`delete from ${table}`)
}
type Order = Pick<ReconcileInput, 'booked' | 'rows'>

describe('any orders', () => {
  it('have the same bytes however their rows came, and a second recompute writes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(someInput, { minLength: 1, maxLength: 4 }), fc.nat({ max: 5 }), async (inputs, slices) => {
        const orders: [string, Order][] = inputs.map((input, index) => [`ord_${index}`, input])
        await empty()
        for (const [order_id, { booked }] of orders) await book(order_id, booked)
        const rows = orders.flatMap(([order_id, input]) => input.rows.map((row) => ({ order_id, row })))
        const size = Math.ceil((rows.length + 1) / (slices + 1))
        for (let from = 0; from < rows.length; from += size) {
          await writeRows(db, SELLER, rows.slice(from, from + size))
          await recompute(SELLER)
        }
        await recompute(SELLER)
        const incremental = await stored()
        expect(incremental).toHaveLength(orders.length)

        const ids = orders.map(([order_id]) => order_id)
        await markDue(db, SELLER, ids)
        await recompute(SELLER)
        expect(await stored()).toEqual(incremental)
        expect(await misfiled()).toEqual([])
        await expectInvariants(db.url)

        await db.pool.query('delete from reconciliations')
        await db.pool.query('delete from reconciliation_lines')
        await markDue(db, SELLER, ids)
        await recompute(SELLER)
        const bytes = (results: Record<string, unknown>[]) => results.map(({ revision: _, result: __, xmin: ___, ...said }) => said)
        expect(bytes(await stored())).toEqual(bytes(incremental))
      }),
      { numRuns: 4, endOnFailure: true },
    )
  }, 120_000)
})

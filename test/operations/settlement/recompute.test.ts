import { beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import type { StoredLine } from '../../../src/domain/settlement/reconciliationResult.ts'
import { readRelatedOrders } from '../../../src/operations/settlement/readRelatedOrders.ts'
import { reconciledOrder, VARIANCES_PER_LINE } from '../../../src/operations/settlement/reconciledOrder.ts'
import { readToReconcile } from '../../../src/store/settlement/readToReconcile.ts'
import { LARGEST_ORDER } from '../../../src/store/settlement/reconcileQueue.ts'
import { saveLargeReconciliation } from '../../../src/store/settlement/saveLargeReconciliation.ts'
import { aBill, anAiring } from '../../support/settlement/aSellerRow.ts'
import { type Booked, bookOrders } from '../../support/settlement/bookOrders.ts'
import { markDue, writeRows } from '../../support/settlement/reconciling.ts'
import { useReconciling } from '../../support/settlement/useReconciling.ts'
import { until } from '../../support/until.ts'

const SELLER = 'station'
const { db, recompute } = useReconciling(SELLER)
let made = 0
let order_id: string
const book = async (booked: Partial<Booked> = {}) => {
  made += 1
  const id = `ord_${made}`
  await bookOrders(db, { order_id: id, units: [`unit_${made}`], isci: ['COPY1'], ...booked })
  await markDue(db, SELLER, [id])
  return id
}
beforeEach(async () => {
  await db.pool.query('delete from reconcile_due')
  order_id = await book()
})

const rows = async (sql: string, ...values: unknown[]) => (await db.owner().query(sql, values)).rows
const headOf = async (id: string) => {
  const [head] = await rows('select *, encode(digest, $2) as digest, xmin::text from reconciliations where order_id = $1', id, 'hex')
  return head
}
const linesOf = async (id: string): Promise<StoredLine[]> =>
  (
    await rows(
      'select body from reconciliation_lines l join reconciliations r using (order_id, result) where order_id = $1 order by line',
      id,
    )
  ).map(({ body }) => body)
const dueOf = async (id: string) => (await rows('select *, due_at > now() as is_later from reconcile_due where order_id = $1', id))[0]

describe('the recompute', () => {
  it('writes the result of an order, whose mark falls with it', async () => {
    await writeRows(db, SELLER, [
      { order_id, row: anAiring() },
      { order_id, row: aBill({ rate: 120 }) },
    ])
    expect(await recompute(SELLER)).toEqual({ seller: SELLER, at: null, waiting: 0, failing: 0 })
    expect(await headOf(order_id)).toMatchObject({
      ...{ seller: SELLER, buyer_entity: 'acme', currency: 'USD', revision: 1, state: 'reconciled', guarantees: [] },
      totals: { ordered: 1, aired_in_spec: 1, billed: 1, ordered_gross: 100, billed_gross: 120, variance_gross: 20 },
      coverage: {
        ...{ days_booked: 1, days_logged: 1, invoiced_months: ['2026-12'] },
        invoices: [{ invoice_number: 'INV-1', invoice_date: '2026-12-07', broadcast_month: '2026-12', spots: 1, gross: 120 }],
      },
      ...{ codes: ['RATE_MISMATCH'], broadcast_months: ['2026-12'] },
    })
    const [line, ...more] = await linesOf(order_id)
    expect(more).toEqual([])
    expect(line).toMatchObject({ air_date: '2026-12-07', broadcast_month: '2026-12', ordered: 1, billed: 1 })
    expect(line?.variances).toEqual([
      {
        ...{ variance_id: expect.stringMatching(/^var_/), code: 'RATE_MISMATCH', units: 1, gross: 20 },
        rows: [expect.objectContaining({ record_type: 'as_run' }), expect.objectContaining({ record_type: 'invoice', rate: 120 })],
      },
    ])
    expect(await dueOf(order_id)).toBeUndefined()
  })

  it('shows what an invoice states of itself beside its rows, unless it bills another order too', async () => {
    const other = await book()
    const bill = (id: string, invoice_number: string) => ({ order_id: id, row: aBill({ invoice_number }) })
    await writeRows(db, SELLER, [bill(order_id, 'INV-own'), bill(order_id, 'INV-both'), bill(other, 'INV-both')])
    await rows(`update seller_invoices set spot_count = 3, gross = 150.5 where invoice_number = any($1)`, ['INV-own', 'INV-both'])
    await recompute(SELLER)
    const billed = { invoice_date: '2026-12-07', broadcast_month: '2026-12', spots: 1, gross: 100 }
    expect((await headOf(order_id)).coverage.invoices).toEqual([
      { invoice_number: 'INV-both', ...billed },
      { invoice_number: 'INV-own', ...billed, stated: { spot_count: 3, gross: 150.5 } },
    ])
  })

  it('writes the result of an order that has nothing left, alone or before others', async () => {
    await recompute(SELLER)
    const empty = await book({ units: [] })
    expect(await recompute(SELLER)).toMatchObject({ waiting: 0 })
    expect(await headOf(empty)).toMatchObject({ revision: 1, totals: { ordered: 0 } })
    await markDue(db, SELLER, [empty, order_id])
    expect(await recompute(SELLER)).toMatchObject({ waiting: 0 })
  })

  it('writes nothing when the bytes are the same, and moves the revision when they differ', async () => {
    await recompute(SELLER)
    const first = await headOf(order_id)
    await markDue(db, SELLER, [order_id])
    await recompute(SELLER)
    expect(await headOf(order_id)).toEqual(first)
    expect(await dueOf(order_id)).toBeUndefined()

    await writeRows(db, SELLER, [{ order_id, row: anAiring() }])
    await recompute(SELLER)
    const second = await headOf(order_id)
    expect(second).toMatchObject({ revision: 2, totals: { aired_in_spec: 1, open: 0 } })
    expect(BigInt(second.changed_txid)).toBeGreaterThan(BigInt(first.changed_txid))
    expect(await rows('select count(*)::int as lines from reconciliation_lines where order_id = $1', order_id)).toEqual([{ lines: 1 }])
  })

  it('writes orders that were touched alone', async () => {
    const other = await book()
    await recompute(SELLER)
    const before = await headOf(other)
    await writeRows(db, SELLER, [{ order_id, row: anAiring() }])
    await recompute(SELLER)
    expect(await headOf(other)).toEqual(before)
    expect((await headOf(order_id)).revision).toBe(2)
  })

  it('writes no result of an order that is marked meanwhile: the mark stays, and the next one has what is new', async () => {
    await recompute(SELLER)
    await markDue(db, SELLER, [order_id])
    const lock = new pg.Client({ connectionString: db.url })
    await lock.connect()
    // Holds the recompute where it would write.
    lock.on('error', () => undefined) // of a test that has failed
    await lock.query(`begin; select pg_advisory_xact_lock(hashtextextended('reconcile:${SELLER}', 0))`)
    const recomputed = recompute(SELLER)
    await until(async () => (await rows(`select from pg_locks where not granted and locktype = 'advisory'`)).length === 1)
    await writeRows(db, SELLER, [{ order_id, row: anAiring() }])
    await lock.query('commit')
    await lock.end()
    await recomputed
    if ((await dueOf(order_id)) !== undefined) await recompute(SELLER)
    expect(await headOf(order_id)).toMatchObject({ revision: 2, totals: { aired_in_spec: 1 } })
    expect(await dueOf(order_id)).toBeUndefined()
  })

  it('counts by the minutes of its agreement', async () => {
    await db.owner().query(
      `insert into agreements (agreement_id, seller, buyer_entity, status, effective, body)
        values ('agr_strict', $1, 'acme', 'active', '[2020-01-01,2099-12-31]', '{"reconciliation":{"window_minutes":0}}') on conflict do nothing`,
      [SELLER],
    )
    const strict = await book()
    await db.owner().query(`update booked_orders set agreement_id = 'agr_strict' where order_id = $1`, [strict])
    const row = anAiring({ air_time: '19:57:00' })
    await writeRows(db, SELLER, [
      { order_id, row },
      { order_id: strict, row },
    ])
    await recompute(SELLER)
    expect(await headOf(order_id)).toMatchObject({ totals: { aired_in_spec: 1 }, codes: [] })
    expect(await headOf(strict)).toMatchObject({ agreement_id: 'agr_strict', totals: { aired_out_of_spec: 1 }, codes: ['OUT_OF_DAYPART'] })
  })

  it('leaves out an order that is being marked, and does not wait for it', async () => {
    const other = await book()
    const client = new pg.Client({ connectionString: db.url })
    await client.connect()
    client.on('error', () => undefined) // of a test that has failed
    await client.query('begin')
    await client.query('update reconcile_due set marked_at = now() where order_id = $1', [order_id])
    expect(await recompute(SELLER)).toMatchObject({ waiting: 1, failing: 0 })
    expect(await headOf(other)).toMatchObject({ revision: 1 })
    expect(await headOf(order_id)).toBeUndefined()
    await client.query('commit')
    await client.end()
    await recompute(SELLER)
    expect(await headOf(order_id)).toMatchObject({ revision: 1 })
  })

  it('drops the mark of an order that books nothing', async () => {
    await markDue(db, SELLER, ['ord_unknown'])
    expect(await recompute(SELLER)).toMatchObject({ waiting: 0 })
    expect(await headOf('ord_unknown')).toBeUndefined()
  })
})

describe('an order that fails', () => {
  it('holds up no other, is due again later each time, and at once when its rows change', async () => {
    await bookOrders(db, { order_id: 'ord_broken', units: ['unit_broken'] })
    await db.owner().query(`update booked_spots set windows = '[{"start":null,"end":null}]' where order_id = 'ord_broken'`)
    await markDue(db, SELLER, ['ord_broken'])
    const failures: unknown[] = []
    expect(await recompute(SELLER, failures)).toMatchObject({ waiting: 1, failing: 1, at: expect.any(String) })
    expect(failures).toHaveLength(1)
    expect(await headOf(order_id)).toMatchObject({ revision: 1 })
    expect(await dueOf('ord_broken')).toMatchObject({ attempts: 1, is_later: true, fault: expect.any(String) })

    await recompute(SELLER)
    expect(await dueOf('ord_broken')).toMatchObject({ attempts: 1 })
    await markDue(db, SELLER, ['ord_broken'])
    await recompute(SELLER, failures)
    expect(await dueOf('ord_broken')).toMatchObject({ attempts: 2, is_later: true })

    await db.owner().query(`update booked_spots set windows = '[{"start":"20:00","end":"23:00"}]' where order_id = 'ord_broken'`)
    await markDue(db, SELLER, ['ord_broken'])
    expect(await recompute(SELLER)).toMatchObject({ waiting: 0, failing: 0 })
    expect(await headOf('ord_broken')).toMatchObject({ revision: 1 })
  })
})

describe('a large order', () => {
  it('is matched in a thread, and read as a whole', async () => {
    await bookOrders(db, { order_id: 'ord_large', units: Array.from({ length: 9_000 }, (_, index) => `unit_${index}`) })
    await writeRows(db, SELLER, [{ order_id: 'ord_large', row: anAiring({ unit_id: 'unit_7', isci: undefined }) }])
    expect(await recompute(SELLER)).toMatchObject({ waiting: 0 })
    expect(await headOf('ord_large')).toMatchObject({ revision: 1, totals: { ordered: 9_000, aired_in_spec: 1, missed: 8_999 } })
    expect(await linesOf('ord_large')).toHaveLength(9_000)

    await db.owner().query(`delete from booked_spots where order_id = 'ord_large' and unit_id <> 'unit_7'`)
    await markDue(db, SELLER, ['ord_large'])
    await recompute(SELLER)
    expect(await headOf('ord_large')).toMatchObject({ revision: 2, totals: { ordered: 1, aired_in_spec: 1 } })
    expect(await rows(`select count(*)::int as lines from reconciliation_lines where order_id = 'ord_large'`)).toEqual([{ lines: 1 }])
  }, 60_000)

  const computed = async (id: string) => {
    const [order] = await readToReconcile(db, SELLER, [id])
    if (order === undefined) throw new Error(`${id} is not booked`)
    return reconciledOrder(order, (await readRelatedOrders(db, SELLER, [order]))(order))
  }

  it('keeps the lines that another worker has published while a late attempt computed', async () => {
    await recompute(SELLER)
    const late = await computed(order_id)
    await writeRows(db, SELLER, [{ order_id, row: anAiring() }])
    const later = await computed(order_id)
    await recompute(SELLER)
    const published = await linesOf(order_id)
    expect(published).toHaveLength(1)
    for (const result of [late, later]) {
      await saveLargeReconciliation(db, { result, mark: '0' })
      expect(await linesOf(order_id)).toEqual(published)
    }
  })

  it('is not published when another attempt has deleted its lines while it wrote them', async () => {
    const result = await computed(order_id)
    const { mark } = (await rows('select xmin::text as mark from reconcile_due where order_id = $1', order_id))[0]
    let transactions = 0
    const connect = async () => {
      transactions += 1
      // The first one deletes, the second one writes the line, and the third one would make it current.
      if (transactions === 3) expect(await saveLargeReconciliation(db, { result, mark: '0' })).toBe(false)
      return db.pool.connect()
    }
    const pool: pg.Pool = Object.assign(Object.create(db.pool), { connect, query: db.pool.query.bind(db.pool) })
    await expect(saveLargeReconciliation({ pool }, { result, mark })).rejects.toThrow('another attempt has deleted lines')
    expect(await headOf(order_id)).toBeUndefined()
    expect(await dueOf(order_id)).toBeDefined()
  })

  it('with more spots and rows than are matched is shown as too large, with what it books and what is billed', async () => {
    await writeRows(db, SELLER, [{ order_id, row: aBill() }])
    await db.owner().query(
      `insert into as_run_rows (seller, order_id, network, broadcast_date, air_date, clock, spot_length, ran, registration, file, row, log_id, status)
        select '${SELLER}', $1, 'CBL', '2026-12-07', '2026-12-07', 'calendar', 30, false, 1, 'many', n, '', 'Missed' from generate_series(1, ${LARGEST_ORDER}) n`,
      [order_id],
    )
    await recompute(SELLER)
    expect(await headOf(order_id)).toMatchObject({
      ...{ revision: 1, state: 'too_large', codes: [], guarantees: [] },
      totals: { ordered: 1, open: 1, missed: 0, billed: 1, ordered_gross: 100, billed_gross: 100, variance_gross: 0 },
      coverage: { days_booked: 1, days_logged: 0, invoiced_months: ['2026-12'], invoices: [] },
    })
    expect(await linesOf(order_id)).toEqual([])

    await db.owner().query(`delete from as_run_rows where order_id = $1`, [order_id])
    await markDue(db, SELLER, [order_id])
    await recompute(SELLER)
    expect(await headOf(order_id)).toMatchObject({ revision: 2, state: 'reconciled' })
  }, 60_000)

  it('lists the first thousand variances of a line, and how many there are beyond', async () => {
    const airings = Array.from({ length: VARIANCES_PER_LINE + 6 }, () => ({ order_id, row: anAiring() }))
    await writeRows(db, SELLER, airings)
    await recompute(SELLER)
    const [line] = await linesOf(order_id)
    const unordered = (await linesOf(order_id)).at(-1)
    expect(line?.aired_in_spec).toBe(1)
    expect(unordered).toMatchObject({ duplicate: VARIANCES_PER_LINE + 5, variances_left_out: 5 })
    expect(unordered?.variances).toHaveLength(VARIANCES_PER_LINE)
  }, 60_000)
})

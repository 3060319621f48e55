import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Tx } from '../../../src/store/connection/database.ts'
import { countMakegood, findByKey, findMakegood, loadMakegoods, readReconciledDates } from '../../../src/store/makegoods/changeMakegoods.ts'
import { creditedByMakegoods, creditIssued, unissuedCredits } from '../../../src/store/makegoods/makegoodCredits.ts'
import { followMakegood, OPEN_MAKEGOODS, readTended, sweepMakegoods, wakeMakegoodsOf } from '../../../src/store/makegoods/makegoodQueue.ts'
import { listMakegoods, readMakegood } from '../../../src/store/makegoods/makegoodReads.ts'
import { preemptedSpots } from '../../../src/store/makegoods/preemptedSpots.ts'
import {
  anOrderRow,
  aSellerRowOf,
  aTenantRow,
  BUYER,
  insertRows,
  minutesAgo,
  OTHER_BUYER,
  OTHER_SELLER,
  PAST,
  SELLER,
  SOON,
} from '../../support/orders/rowsOfMarket.ts'
import { readAfter } from '../../support/readAfter.ts'
import {
  aBookedOrderRow,
  aLogRow,
  anInvoiceRow,
  aReconciliationRow,
  aResultLineRow,
  aVarianceActionRow,
} from '../../support/settlement/rowsOfSettlement.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const inTx = <T>(work: (tx: Tx) => Promise<T>) => db.sql.transaction().execute(work)
const woken = async () => (await rows(`select target from outbox where kind = 'makegood' order by 1`)).map(({ target }) => target)

const PARTIES = { order_id: 'ord_1', seller: 'seller_one', buyer_entity: 'buyer_one' }
const makegood = (makegood_id: string, more: Record<string, unknown> = {}) =>
  [
    'makegoods',
    {
      ...{
        makegood_id,
        ...PARTIES,
        status: 'noticed',
        version: 1,
        missed: '[]',
        offers: '[]',
        agreed_outside: false,
        product_ids: ['prime'],
      },
      ...{ due_at: SOON, followed: true, created_at: PAST, updated_at: PAST, ...more },
    },
  ] as const
const AGREED = { status: 'accepted', agreed: '{"billing":"aired","replaces":[]}', due_at: null }
const credit = (makegood_id: string, air_date: string, more: object = {}) =>
  [
    'makegood_credits',
    { makegood_id, ...PARTIES, unit_id: 'u1', air_date, network: 'CBL', units: 1, gross: 10, broadcast_month: '2030-06', ...more },
  ] as const
const makegoods = (...made: Parameters<typeof makegood>[]) =>
  insertRows(
    db.owner(),
    made.map((row) => makegood(...row)),
  )

beforeAll(() =>
  insertRows(
    db.owner(),
    ['seller_one', 'seller_two'].flatMap((seller) => [
      aTenantRow(seller, 'seller'),
      aSellerRowOf(seller, { profile: '{"notices_from_logs":true}' }),
    ]),
  ),
)
beforeEach(async () => {
  await db
    .owner()
    .query(`set session_replication_role = replica; delete from makegoods; delete from makegood_steps; delete from makegood_credits;
    delete from makegood_days; delete from orders; delete from outbox; delete from invoices; delete from booked_orders; delete from reconcile_due;
    delete from reconciliations; delete from reconciliation_lines; delete from variance_actions; delete from as_run_rows; set session_replication_role = origin`)
})

describe('makegoods as their parties read them', () => {
  const list = async (filter: object = {}, reader: typeof BUYER | typeof SELLER = BUYER) =>
    (await listMakegoods(db, reader, { limit: 9, ...filter })).makegoods.map(({ makegood_id }) => makegood_id)
  beforeEach(() =>
    makegoods(
      ['mkg_1', { status: 'offered', expires_at: SOON }],
      ['mkg_2', { status: 'offered', expires_at: PAST }],
      ['mkg_3', { order_id: 'ord_2', product_ids: ['prime', 'news'] }],
      ['mkg_4', OTHER_BUYER],
      ['mkg_5', OTHER_SELLER],
      ['mkg_6', { updated_at: SOON, status: 'declined', expires_at: PAST }],
    ),
  )

  it('are listed newest first, by page, order, status as of now, product and change', async () => {
    expect(await list()).toEqual(['mkg_6', 'mkg_5', 'mkg_3', 'mkg_2', 'mkg_1'])
    expect(await list({}, SELLER)).toEqual(['mkg_6', 'mkg_4', 'mkg_3', 'mkg_2', 'mkg_1'])
    expect(await list({ before: 'mkg_3', limit: 1 })).toEqual(['mkg_2'])
    expect(await list({ order_id: 'ord_2' })).toEqual(['mkg_3'])
    expect([await list({ status: 'offered' }), await list({ status: 'expired' }), await list({ status: 'declined' })]).toEqual([
      ...[['mkg_1'], ['mkg_2'], ['mkg_6']],
    ])
    expect([await list({ product: 'news' }), await list({ since: SOON })]).toEqual([['mkg_3'], ['mkg_6']])
  })

  it('are read one by one, of their order, with credits and actions in order', async () => {
    const step = (n: number, more: object = {}) =>
      [
        'makegood_steps',
        {
          makegood_id: 'mkg_1',
          n,
          ...PARTIES,
          action: 'notice',
          side: 'seller',
          actor: `a${n}`,
          status: 'noticed',
          version: 1,
          at: PAST,
          ...more,
        },
      ] as const
    await insertRows(db.owner(), [
      ...[step(2), step(1, { request_key: 'k', body_hash: '\\x00' }), step(1, { makegood_id: 'mkg_2' })],
      ...[credit('mkg_1', '2030-06-02'), credit('mkg_1', '2030-06-01'), credit('mkg_2', '2030-06-01')],
    ])
    const read = await readMakegood(db, BUYER, 'ord_1', 'mkg_1')
    expect([read?.steps.map(({ actor }) => actor), read?.credits.map(({ date }) => date)]).toEqual([
      ['a1', 'a2'],
      ['2030-06-01', '2030-06-02'],
    ])
    expect(await readMakegood(db, BUYER, 'ord_2', 'mkg_1')).toBeUndefined()
    expect(await readMakegood(db, { ...BUYER, entity: 'seller_one' }, 'ord_1', 'mkg_1')).toBeUndefined()
    expect(await readMakegood(db, SELLER, 'ord_1', 'mkg_4')).toMatchObject(OTHER_BUYER)
    expect(await inTx((tx) => findMakegood(tx, 'ord_1', 'mkg_1'))).toMatchObject({ makegood_id: 'mkg_1' })
    expect(await inTx((tx) => findMakegood(tx, 'ord_2', 'mkg_1'))).toBeUndefined()
  })

  it('are found by the key with which their seller began them', async () => {
    const step = (makegood_id: string, more: object = {}) =>
      [
        'makegood_steps',
        {
          makegood_id,
          n: 1,
          ...PARTIES,
          action: 'notice',
          side: 'seller',
          actor: 'a',
          status: 'noticed',
          version: 1,
          at: PAST,
          request_key: 'k',
          ...more,
        },
      ] as const
    await insertRows(db.owner(), [
      step('mkg_3', { order_id: 'ord_2' }),
      step('mkg_4', { request_key: 'other' }),
      step('mkg_5', { side: 'buyer' }),
      step('mkg_6', { n: 2 }),
      step('mkg_2'),
    ])
    expect(await inTx((tx) => findByKey(tx, 'ord_1', 'k'))).toMatchObject({ makegood_id: 'mkg_2' })
    expect(await inTx((tx) => findByKey(tx, 'ord_3', 'k'))).toBeUndefined()
  })

  it('count for their order, the oldest first', async () => {
    await insertRows(db.owner(), [credit('mkg_1', '2030-06-02'), credit('mkg_2', '2030-06-01')])
    const { makegoods: found } = await inTx((tx) => loadMakegoods(tx, 'ord_1'))
    expect(found.map(({ makegood_id }) => makegood_id)).toEqual(['mkg_1', 'mkg_2', 'mkg_4', 'mkg_5', 'mkg_6'])
    expect(found.map(({ credits }) => credits.length)).toEqual([1, 1, 0, 0, 0])
  })
})

describe('the runs of makegoods', () => {
  it('see whether their time has come or their order has ended', async () => {
    await insertRows(db.owner(), [anOrderRow('ord_1', { status: 'placed' }), anOrderRow('ord_2', { status: 'canceled' })])
    await makegoods(
      ['mkg_1'],
      ['mkg_2', { due_at: PAST }],
      ['mkg_3', { order_id: 'ord_2' }],
      ['mkg_4', { order_id: 'ord_2', due_at: null }],
    )
    const due = await Promise.all(['mkg_1', 'mkg_2', 'mkg_3', 'mkg_4'].map((id) => readTended(db, id)))
    expect(due.map((one) => one?.is_due)).toEqual([false, true, true, false])
    await wakeMakegoodsOf(db, 'ord_2')
    expect(await woken()).toEqual(['mkg_3'])
  })

  it('are woken when they should have moved a minute ago, unless they are', async () => {
    await makegoods(
      ['mkg_1', { due_at: minutesAgo(2) }],
      ['mkg_2', { due_at: minutesAgo(0.5) }],
      ['mkg_3', { due_at: null, followed: false, updated_at: minutesAgo(2) }],
      ['mkg_4', { due_at: null, followed: false, updated_at: minutesAgo(0.5) }],
      ['mkg_5', { due_at: null, updated_at: minutesAgo(2) }],
      ['mkg_6', { due_at: minutesAgo(2) }],
    )
    await db.owner().query(`insert into outbox (kind, target) values ('makegood', 'mkg_6'), ('order', 'mkg_1')`)
    expect([await sweepMakegoods(db), await woken()]).toEqual([2, ['mkg_1', 'mkg_3', 'mkg_6']])
    expect((await rows(`select target from (${OPEN_MAKEGOODS}) open order by 1`)).map(({ target }) => target)).toEqual([
      ...['mkg_1', 'mkg_2', 'mkg_3', 'mkg_4', 'mkg_6'],
    ])
  })

  it('have an answered one reconciled and billed, unless it has changed since', async () => {
    const invoice = (invoice_id: string, order_id: string) => anInvoiceRow(invoice_id, { order_id })
    await insertRows(db.owner(), [
      ...['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_6', 'ord_7'].map((id) => aBookedOrderRow(id)),
      ...['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5', 'ord_6', 'ord_7'].map((id) =>
        anOrderRow(id, { invoice_due_at: id === 'ord_6' ? null : SOON }),
      ),
      anOrderRow('ord_8'),
      ...[invoice('inv_8', 'ord_8'), invoice('inv_2', 'ord_2')],
    ])
    const of = (order_id: string, more: object = {}) => ({ ...AGREED, order_id, followed: false, ...more })
    await makegoods(
      ['mkg_1', of('ord_1')],
      ['mkg_2', of('ord_2', { status: 'credited', agreed: null })],
      ['mkg_3', of('ord_3', { status: 'declined', agreed: null })],
      ['mkg_4', of('ord_4', { updated_at: SOON })],
      ['mkg_5', of('ord_5', { agreed: '{"billing":"ordered"}' })],
      ['mkg_6', of('ord_6')],
      ['mkg_7', of('ord_7')],
      ['mkg_8', of('ord_8')],
    )
    for (const id of ['mkg_1', 'mkg_2', 'mkg_3', 'mkg_4', 'mkg_5', 'mkg_6', 'mkg_8'])
      await followMakegood(db, { makegood_id: id, seller: 'seller_one', updated_at: PAST })
    expect((await rows('select order_id from reconcile_due order by 1')).map(({ order_id }) => order_id)).toEqual([
      'ord_1',
      'ord_2',
      'ord_6',
    ])
    expect((await rows('select order_id from orders where invoice_due_at <= now() order by 1')).map(({ order_id }) => order_id)).toEqual([
      'ord_1',
      'ord_8',
    ])
    expect((await rows('select makegood_id from makegoods where not followed order by 1')).map(({ makegood_id }) => makegood_id)).toEqual([
      'mkg_4',
      'mkg_7',
    ])
  })
})

describe('the credits of makegoods', () => {
  const invoice = (order_id: string, broadcast_month: string, more: object = {}) =>
    anInvoiceRow(`inv ${order_id} ${broadcast_month} ${Object.values(more).join()}`, { order_id, broadcast_month, ...more })

  it('are issued once, of months that are invoiced, in their order', async () => {
    const month = (broadcast_month: string, more: object = {}) => ({ broadcast_month, ...more })
    await insertRows(db.owner(), [
      credit('mkg_2', '2030-06-01'),
      credit('mkg_1', '2030-06-02'),
      credit('mkg_1', '2030-06-01'),
      credit('mkg_1', '2030-06-01', { unit_id: 'u0' }),
      credit('mkg_1', '2030-05-01', month('2030-05')),
      credit('mkg_1', '2030-06-03', { invoice_id: 'inv_9' }),
      credit('mkg_1', '2030-06-04', { gross: 0 }),
      credit('mkg_1', '2030-07-01', month('2030-07')),
      credit('mkg_1', '2030-08-01', month('2030-08')),
      credit('mkg_1', '2030-09-01', month('2030-09')),
      credit('mkg_3', '2030-06-01', { order_id: 'ord_2' }),
      ...[
        invoice('ord_1', '2030-06'),
        invoice('ord_1', '2030-05'),
        invoice('ord_1', '2030-07', { kind: 'credit_note', credits: 'inv_9' }),
        invoice('ord_1', '2030-08', { n: 2 }),
      ],
      ...[invoice('ord_2', '2030-06'), invoice('ord_2', '2030-09')],
    ])
    const unissued = async () =>
      (await inTx((tx) => unissuedCredits(tx, 'ord_1'))).map(
        ({ makegood_id, unit_id, air_date }) => `${makegood_id} ${unit_id} ${air_date}`,
      )
    expect(await unissued()).toEqual([
      ...['mkg_1 u1 2030-05-01', 'mkg_1 u0 2030-06-01', 'mkg_1 u1 2030-06-01', 'mkg_1 u1 2030-06-02', 'mkg_2 u1 2030-06-01'],
    ])
    await inTx((tx) => creditIssued(tx, { makegood_id: 'mkg_1', broadcast_month: '2030-06', invoice_id: 'inv ord_1 2030-06 ' }))
    expect(await unissued()).toEqual(['mkg_1 u1 2030-05-01', 'mkg_2 u1 2030-06-01'])
    expect(await rows(`select invoice_id from makegood_credits where air_date = '2030-06-03'`)).toEqual([{ invoice_id: 'inv_9' }])
  })

  it('are summed by line, network and date', async () => {
    await insertRows(db.owner(), [
      ...[
        credit('mkg_1', '2030-06-01'),
        credit('mkg_2', '2030-06-01'),
        credit('mkg_3', '2030-06-02'),
        credit('mkg_4', '2030-06-01', { network: 'X' }),
      ],
      ...[credit('mkg_5', '2030-06-01', { unit_id: 'u2' }), credit('mkg_6', '2030-06-01', { order_id: 'ord_2' })],
    ])
    const spot = { order_id: 'ord_1', unit_id: 'u1', network: 'CBL', air_date: '2030-06-01' }
    expect(await inTx((tx) => creditedByMakegoods(tx, spot))).toBe('20')
    expect(await inTx((tx) => creditedByMakegoods(tx, { ...spot, unit_id: null }))).toBe('0')
  })

  it('are bounded by notices of a seller’s day', async () => {
    const count = (seller: string, day: string) => inTx((tx) => countMakegood(tx, seller, `${day}T23:59:59Z`))
    await insertRows(db.owner(), [['makegood_days', { seller: 'seller_one', day: '2030-06-01', noticed: 1_000_000 }]])
    expect([
      await count('seller_one', '2030-06-01'),
      await count('seller_one', '2030-06-02'),
      await count('seller_two', '2030-06-01'),
    ]).toEqual([...[false, true, true]])
  })
})

describe('what reconciliation knows of a spot', () => {
  const AIRED = { body: '{"aired_in_spec":2,"aired_out_of_spec":1,"makegood":3,"made_good":1}' }
  it('is what aired in the result in force, and what variances have credited', async () => {
    const elsewhere = { air_date: '2030-06-02' }
    await insertRows(db.owner(), [
      aReconciliationRow('ord_1'),
      aReconciliationRow('ord_2'),
      aResultLineRow('ord_1', 1, AIRED),
      aResultLineRow('ord_1', 2, { result: 1, body: '{"aired_in_spec":9,"aired_out_of_spec":0,"makegood":0}' }),
      aResultLineRow('ord_1', 3, { ...AIRED, unit_id: 'u2' }),
      aResultLineRow('ord_1', 4, { ...AIRED, ...elsewhere }),
      aResultLineRow('ord_1', 5, { network: 'MORE', body: '{"aired_in_spec":0,"aired_out_of_spec":0,"makegood":1,"made_good":2}' }),
      aResultLineRow('ord_2', 1, AIRED),
      aVarianceActionRow('ord_1', 'v1', 1),
      ...['RATE_MISMATCH', 'BILLED_NOT_RUN', 'RUN_NOT_ORDERED', 'DUPLICATE'].map((code) => aVarianceActionRow('ord_1', code, 1, { code })),
      aVarianceActionRow('ord_2', 'v1', 1),
      aVarianceActionRow('ord_1', 'v3', 1, { unit_id: 'u3' }),
      aVarianceActionRow('ord_1', 'v4', 1, elsewhere),
      aVarianceActionRow('ord_1', 'v5', 1, { network: 'X' }),
    ])
    const spot = { unit_id: 'u1', date: '2030-06-01' }
    const found = await inTx((tx) => readReconciledDates(tx, 'ord_1', [spot, spot]))
    expect(found.map(({ network, date, aired, credited }) => `${network} ${date} ${aired} ${Number(credited)}`).sort()).toEqual([
      ...['CBL 2030-06-01 5 5', 'MORE 2030-06-01 0 0', 'X 2030-06-01 0 5'],
    ])
  })
})

describe('the preempted spots of a log', () => {
  const missed = (more: object = {}) => ({
    codes: ['MISSED'],
    body: JSON.stringify({ variances: [{ code: 'MISSED', rows: [{ record_type: 'as_run' }], ...more }] }),
  })
  const preempted = (order_id: string, row: number, more: object = {}) =>
    aLogRow(order_id, row, { ran: false, status: 'PREEMPTED', air_date: '2030-06-02', ...more })
  /** By the order that has it: what keeps its spot from being preempted. */
  const others: Readonly<Record<string, Record<string, unknown>>> = {
    ord_2: { ...missed(), result: 1 },
    ord_3: { ...missed(), codes: ['EXTRA'] },
    ord_4: missed({ code: 'OUT_OF_SPEC' }),
    ord_5: missed({ makegood_id: 'mkg_1' }),
    ord_6: { ...missed(), unit_id: null },
    ord_7: missed({ rows: [{ record_type: 'invoice' }] }),
    ord_8: missed(),
    ord_9: missed(),
    ord_a: missed(),
  }
  const orders = ['ord_1', 'ord_b', ...Object.keys(others)]
  beforeEach(() =>
    insertRows(db.owner(), [
      ...orders.map((id) => aReconciliationRow(id, id === 'ord_9' ? OTHER_SELLER : {})),
      ...Object.entries(others).map(([id, line]) => aResultLineRow(id, 1, line)),
      ...[aResultLineRow('ord_1', 1, missed()), aResultLineRow('ord_1', 2, missed()), aResultLineRow('ord_b', 1, missed())],
      ...['ord_1', 'ord_2', 'ord_3', 'ord_4', 'ord_5', 'ord_6', 'ord_7', 'ord_9'].map((id, at) => preempted(id, at)),
      preempted('ord_8', 10, { status: 'missed' }),
      preempted('ord_a', 11, { ran: true }),
      preempted('ord_a', 12, { air_date: '2030-06-03' }),
      preempted('ord_a', 13, { network: 'X' }),
    ]),
  )

  it('are those missed by the result in force that the log says were preempted', async () => {
    expect(await preemptedSpots(db, 'seller_one', orders)).toEqual([{ order_id: 'ord_1', unit_id: 'u1', date: '2030-06-01', units: 2 }])
    expect(await preemptedSpots(db, 'seller_one', ['ord_b'])).toEqual([])
  })

  it('are none of a seller whose logs begin no makegoods', async () => {
    const change = `update sellers set profile = '{}' where seller = 'seller_one'`
    expect(await readAfter(db.pool, change, (changed) => preemptedSpots(changed, 'seller_one', orders))).toEqual([])
  })
})

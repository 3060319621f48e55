import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Tx } from '../../../src/store/connection/database.ts'
import { markNextOrders } from '../../../src/store/settlement/markAgreements.ts'
import { readDelivered, readInvoicesStated, readLoggedDays, readUndecidedDays } from '../../../src/store/settlement/readCoverage.ts'
import { readLargeSums } from '../../../src/store/settlement/readTooLarge.ts'
import { readToReconcile } from '../../../src/store/settlement/readToReconcile.ts'
import { FIRST_CHANGE, listReconciledOrders } from '../../../src/store/settlement/reconciledOrders.ts'
import {
  dropMark,
  dueReconciliations,
  LARGE_FROM,
  OPEN_RECONCILIATIONS,
  postponeReconciliation,
  readReconcileState,
  sweepReconciliations,
} from '../../../src/store/settlement/reconcileQueue.ts'
import { type ReconciliationRequest, readReconciliation } from '../../../src/store/settlement/reconciliationReads.ts'
import { saveLargeReconciliation } from '../../../src/store/settlement/saveLargeReconciliation.ts'
import { holdMarks, saveReconciliations } from '../../../src/store/settlement/saveReconciliations.ts'
import { insertStep, lockReconciliation, readVarianceLine } from '../../../src/store/settlement/varianceSteps.ts'
import {
  anAgreementRow,
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
import {
  aBillRow,
  aBookedOrderRow,
  aBookedSpotRow,
  aLogRow,
  anAcceptedMakegoodRow,
  aReconciliationRow,
  aResultLineRow,
  aVarianceActionRow,
} from '../../support/settlement/rowsOfSettlement.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const rows = async (sql: string) => (await db.owner().query(sql)).rows
const inTx = <T>(work: (tx: Tx) => Promise<T>) => db.sql.transaction().execute(work)
const due = (order_id: string, more: object = {}) => ['reconcile_due', { order_id, seller: 'seller_one', due_at: PAST, ...more }] as const
const woken = async () => (await rows(`select target from outbox where kind = 'reconcile' order by 1`)).map(({ target }) => target)
const TABLES = [
  ...['reconcile_due', 'agreements_due', 'reconciliations', 'reconciliation_lines', 'variance_actions', 'booked_orders', 'booked_spots'],
  ...[
    'as_run_rows',
    'billed_rows',
    'as_run_days',
    'as_run_undecided',
    'post_rows',
    'seller_invoices',
    'orders',
    'order_records',
    'agreements',
    'outbox',
  ],
  'makegoods',
]

beforeAll(() =>
  insertRows(
    db.owner(),
    ['seller_one', 'seller_two', 'seller_three'].flatMap((seller) => [aTenantRow(seller, 'seller'), aSellerRowOf(seller)]),
  ),
)
beforeEach(async () => {
  await db.owner().query(`set session_replication_role = replica; ${TABLES.map((table) => `delete from ${table}`).join('; ')};
    set session_replication_role = origin`)
})

describe('the orders of a seller that are due', () => {
  const list = async (limit = 9) => (await dueReconciliations(db, 'seller_one', limit)).map(({ order_id }) => order_id)
  it('are taken by their time and id, so many, but not those that are being marked', async () => {
    await insertRows(db.owner(), [
      due('ord_3'),
      due('ord_1'),
      due('ord_2', { due_at: minutesAgo(90) }),
      due('ord_4', { due_at: SOON }),
      due('ord_5', OTHER_SELLER),
    ])
    expect([await list(), await list(2)]).toEqual([
      ['ord_2', 'ord_1', 'ord_3'],
      ['ord_2', 'ord_1'],
    ])
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`select from reconcile_due where order_id = 'ord_1' for update`)
      expect(await list()).toEqual(['ord_2', 'ord_3'])
      await client.query('rollback')
    } finally {
      client.release()
    }
  })

  it('know their size: spots, rows of logs and of invoices, and whether a result has many lines', async () => {
    await insertRows(db.owner(), [
      due('ord_1'),
      due('ord_2'),
      aBookedOrderRow('ord_1', { booked_seq: 5 }),
      ...[aBookedSpotRow('ord_1', 'u1'), aBookedSpotRow('ord_1', 'u2'), aBookedSpotRow('ord_2', 'u1')],
      ...[aLogRow('ord_1', 1), aBillRow('ord_1', 1), aBillRow('ord_2', 2)],
      aResultLineRow('ord_1', LARGE_FROM),
      aResultLineRow('ord_2', LARGE_FROM + 1),
    ])
    expect(await dueReconciliations(db, 'seller_one', 9)).toMatchObject([
      { order_id: 'ord_1', booked_seq: 5, size: { matched: 4, hasManyLines: false } },
      { order_id: 'ord_2', booked_seq: null, size: { matched: 2, hasManyLines: true } },
    ])
  })

  it('lose their mark or wait longer only if they were not marked again', async () => {
    await insertRows(db.owner(), [due('ord_1'), due('ord_2'), due('ord_3', { attempts: 20 })])
    const [one, other, third] = await dueReconciliations(db, 'seller_one', 9)
    if (one === undefined || other === undefined || third === undefined) throw new Error('nothing is due')
    await dropMark(db, { ...one, mark: '1' })
    await postponeReconciliation(db, 'ord_1', '1', 'fault')
    expect(await rows('select order_id from reconcile_due where attempts = 0 order by 1')).toHaveLength(2)
    await dropMark(db, one)
    await postponeReconciliation(db, 'ord_2', other.mark, 'fault')
    await postponeReconciliation(db, 'ord_3', third.mark, 'fault')
    const waits = await rows(
      `select order_id, attempts, round(extract(epoch from due_at - now()) / 60)::int as minutes from reconcile_due order by 1`,
    )
    expect(waits).toEqual([
      { order_id: 'ord_2', attempts: 1, minutes: 1 },
      { order_id: 'ord_3', attempts: 21, minutes: 360 },
    ])
    expect([...(await holdMarks(db.pool as never, [{ order_id: 'ord_2', mark: other.mark }]))]).toEqual([])
  })

  it('show how many a seller has left, and since when', async () => {
    const agreementDue = (agreement_id: string, marked_at: string, more: object = {}) =>
      ['agreements_due', { agreement_id, seller: 'seller_one', marked_at, ...more }] as const
    await insertRows(db.owner(), [
      due('ord_1', { due_at: SOON }),
      due('ord_2', { attempts: 1 }),
      due('ord_3', { ...OTHER_SELLER, due_at: minutesAgo(99) }),
    ])
    expect(await readReconcileState(db, 'seller_one')).toMatchObject({ at: PAST, waiting: 2, failing: 1 })
    await insertRows(db.owner(), [agreementDue('agr_2', minutesAgo(999), OTHER_SELLER), agreementDue('agr_1', minutesAgo(90))])
    const { at } = await readReconcileState(db, 'seller_one')
    expect(Date.parse(at ?? '')).toBeLessThan(Date.parse(PAST))
    expect(Date.parse(at ?? '')).toBeGreaterThan(Date.now() - 100 * 60_000)
    await db.owner().query('delete from reconcile_due')
    expect(await readReconcileState(db, 'seller_one')).toMatchObject({ waiting: 0, failing: 0 })
  })

  it('are swept by seller when they, or an agreement, have waited for a minute', async () => {
    const agreementDue = (agreement_id: string, seller: string, marked_at: string) =>
      ['agreements_due', { agreement_id, seller, marked_at }] as const
    await insertRows(db.owner(), [due('ord_1', { due_at: minutesAgo(2) }), due('ord_2', { ...OTHER_SELLER, due_at: minutesAgo(0.5) })])
    expect([await sweepReconciliations(db), await woken()]).toEqual([1, ['seller_one']])
    expect(await sweepReconciliations(db)).toBe(0)
    await insertRows(db.owner(), [
      agreementDue('agr_1', 'seller_three', minutesAgo(2)),
      agreementDue('agr_2', 'seller_two', minutesAgo(0.5)),
    ])
    expect([await sweepReconciliations(db), await woken()]).toEqual([1, ['seller_one', 'seller_three']])
    await db.owner().query(`update outbox set kind = 'order'`)
    expect(await sweepReconciliations(db)).toBe(2)
    expect((await rows(`select target from (${OPEN_RECONCILIATIONS}) open order by 1`)).map(({ target }) => target)).toEqual([
      ...['seller_one', 'seller_three', 'seller_two'],
    ])
  })

  it('are marked by agreement, of the seller, some at a time', async () => {
    const agreementDue = (agreement_id: string, more: object = {}) =>
      ['agreements_due', { agreement_id, seller: 'seller_one', ...more }] as const
    const under = (order_id: string, more: object = {}) => aBookedOrderRow(order_id, { agreement_id: 'agr_1', ...more })
    await insertRows(db.owner(), [
      agreementDue('agr_2'),
      agreementDue('agr_1', { after_order: 'ord_1' }),
      agreementDue('agr_0', OTHER_SELLER),
      ...[under('ord_1'), under('ord_2'), under('ord_3'), under('ord_4', OTHER_SELLER), under('ord_5', { agreement_id: 'agr_2' })],
    ])
    const marked = async () => (await rows('select order_id from reconcile_due order by 1')).map(({ order_id }) => order_id)
    const left = async () =>
      (await rows('select agreement_id, after_order from agreements_due order by 1')).map((row) => Object.values(row).join(' '))
    expect([await markNextOrders(db, 'seller_one', 1), await marked(), await left()]).toEqual([
      true,
      ['ord_2'],
      ['agr_0 ', 'agr_1 ord_2', 'agr_2 '],
    ])
    expect([await markNextOrders(db, 'seller_one', 9), await marked(), await left()]).toEqual([
      true,
      ['ord_2', 'ord_3'],
      ['agr_0 ', 'agr_2 '],
    ])
    expect([await markNextOrders(db, 'seller_one', 9), await marked()]).toEqual([true, ['ord_2', 'ord_3', 'ord_5']])
    expect([await markNextOrders(db, 'seller_one', 9), await left()]).toEqual([false, ['agr_0 ']])
  })

  it('are marked up to the last one, and from the first again when the agreement changes in the meantime', async () => {
    const under = (order_id: string) => aBookedOrderRow(order_id, { agreement_id: 'agr_1' })
    await insertRows(db.owner(), [
      ['agreements_due', { agreement_id: 'agr_1', seller: 'seller_one' }],
      ...['ord_1', 'ord_2', 'ord_3'].map(under),
    ])
    await markNextOrders(db, 'seller_one', 2)
    expect(await rows('select after_order from agreements_due')).toEqual([{ after_order: 'ord_2' }])
    await db.owner().query('delete from reconcile_due')
    const client = await db.pool.connect()
    try {
      await client.query('begin')
      await client.query(`update agreements_due set after_order = ''`)
      const marking = markNextOrders(db, 'seller_one', 9)
      await until(async () => (await rows('select from pg_locks where not granted')).length > 0)
      await client.query('commit')
      await marking
    } finally {
      client.release()
    }
    expect((await rows('select order_id from reconcile_due order by 1')).map(({ order_id }) => order_id)).toEqual([
      'ord_1',
      'ord_2',
      'ord_3',
    ])
  })
})

describe('what an order is reconciled from', () => {
  it('is its spots, rows and agreed makegoods, with the terms and digest of now', async () => {
    await insertRows(db.owner(), [
      ...[aBookedOrderRow('ord_1', { agreement_id: 'agr_1' }), aBookedOrderRow('ord_2'), aBookedOrderRow('ord_3', OTHER_SELLER)],
      anAgreementRow('agr_1', { body: '{"reconciliation":{"window_minutes":5}}' }),
      anAgreementRow('agr_2', { body: '{"reconciliation":{"window_minutes":6}}' }),
      aReconciliationRow('ord_1'),
      ...[aBookedSpotRow('ord_1', 'u1'), aBookedSpotRow('ord_1', 'u1', { air_date: '2030-06-02' }), aBookedSpotRow('ord_9', 'u1')],
      ...[aLogRow('ord_1', 1), aLogRow('ord_9', 2), aBillRow('ord_1', 1), aBillRow('ord_9', 2)],
      ...[
        anAcceptedMakegoodRow('mkg_1'),
        anAcceptedMakegoodRow('mkg_2', { status: 'declined', agreed: null }),
        anAcceptedMakegoodRow('mkg_3', { order_id: 'ord_9' }),
      ],
    ])
    const found = await readToReconcile(db, 'seller_one', ['ord_1', 'ord_2', 'ord_3', 'ord_none'])
    const [one, other] = found.sort((a, b) => (a.head.order_id < b.head.order_id ? -1 : 1))
    expect(found.map(({ head }) => head.order_id)).toEqual(['ord_1', 'ord_2'])
    expect(one?.head).toMatchObject({ tolerance: { window_minutes: 5 }, digest: '01' })
    expect([one?.booked.length, one?.rows.length, one?.agreed.length]).toEqual([2, 2, 1])
    expect([other?.head.tolerance, other?.head.digest]).toEqual([{}, null])
    expect([other?.booked.length, other?.rows.length, other?.agreed.length]).toEqual([0, 0, 0])
  })

  it('is, of one that is too large, its sums', async () => {
    await insertRows(db.owner(), [
      ...[
        aBookedSpotRow('ord_1', 'u1', { units: 2 }),
        aBookedSpotRow('ord_1', 'u2', { units: 3 }),
        aBookedSpotRow('ord_2', 'u1', { units: 50 }),
      ],
      aBookedSpotRow('ord_1', 'u1', { air_date: '2030-06-02', units: 0 }),
      ...[
        aBillRow('ord_1', 1),
        aBillRow('ord_1', 2, { ran: false }),
        aBillRow('ord_1', 3, { broadcast_month: '2030-05' }),
        aBillRow('ord_2', 4),
      ],
    ])
    expect(await readLargeSums(db, 'ord_1')).toEqual({
      ...{ ordered: 5, ordered_gross: '30', billed: 2, billed_gross: '20', days_booked: 1, invoiced_months: ['2030-05', '2030-06'] },
    })
    expect(await readLargeSums(db, 'ord_9')).toMatchObject({ ordered: 0, ordered_gross: '0', billed: 0, billed_gross: '0' })
  })

  it('is which days have logs, and which of them leave spots undecided', async () => {
    const day = (network: string, broadcast_date: string, more: object = {}) =>
      [
        'as_run_days',
        { seller: 'seller_one', network, broadcast_date, log_id: '', revision: 0, registration: 2, file: 'f', ...more },
      ] as const
    const undecided = (order_id: string, network: string, more: object = {}) =>
      [
        'as_run_undecided',
        { seller: 'seller_one', network, broadcast_date: '2030-06-01', log_id: '', order_id, registration: 2, ...more },
      ] as const
    await insertRows(db.owner(), [
      ...[day('A', '2030-06-01'), day('A', '2030-06-01', { log_id: 'x' }), day('B', '2030-06-02'), day('C', '2030-06-01', OTHER_SELLER)],
      ...[undecided('ord_1', 'A'), undecided('ord_1', 'A', { log_id: 'x' }), undecided('ord_1', 'A', { registration: 1, log_id: 'x' })],
      ...[undecided('ord_1', 'B'), undecided('ord_1', 'C', OTHER_SELLER), undecided('ord_2', 'A')],
    ])
    const days = [
      ['A', '2030-06-01'],
      ['B', '2030-06-01'],
      ['C', '2030-06-01'],
      ['B', '2030-06-02'],
    ] as const
    const logged = await readLoggedDays(
      db,
      'seller_one',
      days.map(([network, broadcast_date]) => ({ network, broadcast_date })),
    )
    expect(logged.map(({ place }) => place).sort()).toEqual([1, 4])
    expect(await readUndecidedDays(db, 'seller_one', ['ord_1'])).toEqual([
      { order_id: 'ord_1', network: 'A', broadcast_date: '2030-06-01' },
    ])
    await db.owner().query(`delete from as_run_undecided where log_id = '' or registration = 2`)
    expect(await readUndecidedDays(db, 'seller_one', ['ord_1'])).toEqual([])
  })

  it('is what final posts delivered, and what the seller’s invoices state', async () => {
    const post = (unit_id: string, air_date: string, more: object = {}) =>
      [
        'post_rows',
        {
          ...{
            seller: 'seller_one',
            order_id: 'ord_1',
            unit_id,
            network: 'A',
            air_date,
            audience_code: 'X',
            stream: 'live',
            impressions: 5,
            final: true,
          },
          ...{ revision: 0, registration: 1, file: 'f', row: 1, ...more },
        },
      ] as const
    const invoice = (invoice_number: string, more: object = {}) =>
      [
        'seller_invoices',
        {
          seller: 'seller_one',
          invoice_number,
          invoice_date: '2030-07-01',
          broadcast_month: '2030-06',
          gross: 5,
          revision: 0,
          registration: 1,
          file: 'f',
          ...more,
        },
      ] as const
    await insertRows(db.owner(), [
      ...[
        post('u1', '2030-06-01'),
        post('u1', '2030-06-02'),
        post('u1', '2030-06-03', { final: false }),
        post('u2', '2030-06-01', { order_id: 'ord_2' }),
      ],
      ...[invoice('n1'), invoice('n2'), invoice('n3', { gross: null }), invoice('n1', OTHER_SELLER), invoice('n9')],
      ...[
        aBillRow('ord_1', 1),
        aBillRow('ord_1', 2),
        aBillRow('ord_1', 3, { invoice_number: 'n2' }),
        aBillRow('ord_2', 4, { invoice_number: 'n2' }),
      ],
      ...[aBillRow('ord_2', 5, OTHER_SELLER), aBillRow('ord_1', 6, { invoice_number: 'n3' })],
    ])
    expect(await readDelivered(db, ['ord_1'])).toMatchObject([{ unit_id: 'u1', impressions: '10' }])
    const stated = await readInvoicesStated(db, 'seller_one', ['n1', 'n2', 'n3'])
    expect(stated.map(({ invoice_number, totals }) => `${invoice_number} ${totals?.gross}`).sort()).toEqual([
      'n1 5',
      'n2 undefined',
      'n3 undefined',
    ])
  })
})

describe('a reconciliation as its parties read it', () => {
  const read = (more: Partial<ReconciliationRequest> = {}, reader: { entity: string; side: 'buyer' | 'seller' } = BUYER) =>
    readReconciliation(db, reader, { orderId: 'ord_1', after: 0, limit: 9, ...more })
  const line = async (more?: Partial<ReconciliationRequest>) =>
    (await read(more))?.lines.map(({ line: n, air_date, steps }) => `${n > 1_000_000 ? 'ended' : n} ${air_date.slice(8)} ${steps.length}`)
  beforeEach(() =>
    insertRows(db.owner(), [
      ...[anOrderRow('ord_1'), anOrderRow('ord_2'), anOrderRow('ord_9')],
      ['order_records', { order_id: 'ord_1', request_sha256: '', request: '{}', facts: '{"currency":"GBP"}', reply: '' }],
      ['order_records', { order_id: 'ord_9', request_sha256: '', request: '{}', facts: '{"currency":"EUR"}', reply: '' }],
      ...[aReconciliationRow('ord_1'), aReconciliationRow('ord_2')],
      aResultLineRow('ord_1', 2, { codes: ['MISSED'] }),
      aResultLineRow('ord_1', 1, { air_date: '2030-06-02' }),
      aResultLineRow('ord_1', 3, { air_date: '2030-07-03', broadcast_month: '2030-07', codes: ['DUPLICATE'] }),
      aResultLineRow('ord_1', 4, { result: 1, air_date: '2030-06-04' }),
      aResultLineRow('ord_2', 1, { air_date: '2030-06-05' }),
      aResultLineRow('ord_1', 5, { unit_id: null, air_date: '2030-06-06' }),
      ...[aVarianceActionRow('ord_1', 'v1', 2, { actor: 'b' }), aVarianceActionRow('ord_1', 'v1', 1), aVarianceActionRow('ord_2', 'v1', 1)],
      aVarianceActionRow('ord_1', 'v0', 1, { actor: 'c' }),
      aVarianceActionRow('ord_1', 'v2', 1, { air_date: '2030-06-08', code: 'DUPLICATE' }),
      aVarianceActionRow('ord_1', 'v3', 1, { network: 'X' }),
      aVarianceActionRow('ord_1', 'v4', 1, { unit_id: null, air_date: '2030-06-06' }),
    ]),
  )

  it('has the lines of the result in force, and then those that ended after they were acted on', async () => {
    expect(await line()).toEqual(['1 02 0', '2 01 3', '3 03 0', '5 06 1', 'ended 08 1', 'ended 01 1'])
    const [, second] = (await read())?.lines ?? []
    expect(second?.steps.map(({ variance_id, actor }) => `${variance_id} ${actor}`)).toEqual(['v0 c', 'v1 Ada', 'v1 b'])
    expect([await line({ after: 2, limit: 2 }), (await read({ limit: 2 }))?.found]).toEqual([['3 03 0', '5 06 1'], 2])
    expect(await line({ broadcast_month: '2030-07' })).toEqual(['3 03 0'])
    expect(await line({ code: 'DUPLICATE' })).toEqual(['3 03 0', 'ended 08 1'])
    expect(await line({ code: 'MISSED' })).toEqual(['2 01 3', '5 06 1', 'ended 01 1'])
    expect([await line({ state: 'open' }), await line({ state: 'credited' })]).toEqual([
      ['2 01 3', '3 03 0'],
      ['2 01 3', '5 06 1', 'ended 08 1', 'ended 01 1'],
    ])
  })

  it('is read by the parties of the order alone, before it is reconciled too', async () => {
    expect(await read({}, SELLER)).toMatchObject({ order_id: 'ord_1', state: 'reconciled' })
    for (const stranger of [
      { ...BUYER, entity: 'buyer_two' },
      { ...BUYER, entity: 'seller_one' },
    ])
      expect(await read({}, stranger)).toBeUndefined()
    expect(await read({ orderId: 'ord_9' })).toMatchObject({ currency: 'EUR', revision: null, lines: [] })
  })

  it('has the line of a variance, as it is or as it was, with all actions on it', async () => {
    await db
      .owner()
      .query(`set session_replication_role = replica; update reconciliation_lines set body = '{"variances":[{"variance_id":"v1"}]}'
      where order_id in ('ord_1', 'ord_2') and line in (1, 2, 4) and codes = '{MISSED}' or line = 4; set session_replication_role = origin`)
    const of = (id: string, orderId = 'ord_1') => inTx((tx) => readVarianceLine(tx, orderId, id))
    const current = await of('v1')
    expect([current?.air_date, current?.steps.map(({ actor }) => actor), current?.body !== null]).toEqual([
      '2030-06-01',
      ['c', 'Ada', 'b'],
      true,
    ])
    const ended = await of('v2')
    expect([ended?.air_date, ended?.steps.length, ended?.body]).toEqual(['2030-06-08', 1, null])
    expect([(await of('v4'))?.steps.length, await of('v9'), await of('v2', 'ord_2')]).toEqual([1, undefined, undefined])
    await inTx(async (tx) => {
      await lockReconciliation(tx, 'ord_1')
      const writing = db.pool.query(`update reconciliations set revision = revision + 1 where order_id = 'ord_1'`)
      await db.pool.query(`update reconciliations set revision = revision + 1 where order_id = 'ord_2'`)
      await until(async () => (await rows('select from pg_locks where not granted')).length > 0)
      void writing.catch(() => undefined)
    })
  })
})

describe('a result that is written', () => {
  const line = (n: number) => ({
    line: n,
    unit_id: 'u1',
    network: 'CBL',
    air_date: '2030-06-01',
    broadcast_month: '2030-06',
    codes: [],
    body: '{}',
  })
  const result = (order_id: string, lines: number) => ({
    ...{ state: 'reconciled' as const, coverage: '{}', totals: '{}', guarantees: '[]', codes: [], broadcast_months: [], digest: 'ab' },
    head: {
      order_id,
      seller: 'seller_one',
      buyer_entity: 'buyer_one',
      agreement_id: null,
      currency: 'USD',
      guarantees: [],
      tolerance: {},
      digest: '01',
    },
    lines: Array.from({ length: lines }, (_, at) => line(at + 1)),
  })
  const lines = async () =>
    (await rows('select order_id, line, result <= 2 as old from reconciliation_lines order by 1, 2')).map((row) =>
      Object.values(row).join(' '),
    )
  const dueNow = async () => (await rows('select order_id from reconcile_due order by 1')).map(({ order_id }) => order_id)
  it.each(['together', 'alone'])('%s replaces the lines of its order, and drops its mark', async (how) => {
    await insertRows(db.owner(), [
      ...[due('ord_1'), due('ord_2'), aReconciliationRow('ord_1'), aReconciliationRow('ord_2')],
      ...[
        aResultLineRow('ord_1', 1),
        aResultLineRow('ord_1', 2, { result: 1 }),
        aResultLineRow('ord_2', 1),
        aResultLineRow('ord_2', 2, { result: 1 }),
      ],
    ])
    const [one] = await dueReconciliations(db, 'seller_one', 9)
    const marked = { result: result('ord_1', 2), mark: one?.mark ?? '' }
    if (how === 'alone') expect(await saveLargeReconciliation(db, marked)).toBe(true)
    else expect(await saveReconciliations(db, 'seller_one', [marked])).toEqual(['ord_1'])
    expect([await lines(), await dueNow()]).toEqual([['ord_1 1 false', 'ord_1 2 false', 'ord_2 1 true', 'ord_2 2 true'], ['ord_2']])
    expect(await rows('select order_id, revision from reconciliations order by 1')).toMatchObject([{ revision: 2 }, { revision: 1 }])
    const changed = { ...marked, mark: '1' }
    if (how === 'alone') expect(await saveLargeReconciliation(db, changed)).toBe(false)
    else expect(await saveReconciliations(db, 'seller_one', [changed])).toEqual([])
  })

  it('or acted on moves the revision of its order alone', async () => {
    await insertRows(db.owner(), [aReconciliationRow('ord_1'), aReconciliationRow('ord_2')])
    const [, row] = aVarianceActionRow('ord_1', 'v1', 1)
    await inTx((tx) =>
      insertStep(tx, { note: null, invoice_id: null, disputed: '0', spot: null, request_key: null, body_hash: '00', ...row } as never),
    )
    expect(await rows('select order_id, revision from reconciliations order by 1')).toMatchObject([{ revision: 2 }, { revision: 1 }])
  })
})

describe('the changes of reconciliations', () => {
  it('are listed in their order, by page, code and month, for the party that reads', async () => {
    const changed = (order_id: string, txid: number, more: object = {}) =>
      aReconciliationRow(order_id, { changed_txid: String(txid), codes: ['MISSED'], broadcast_months: ['2030-06'], ...more })
    await insertRows(db.owner(), [
      changed('ord_2', 2),
      changed('ord_1', 2),
      changed('ord_8', 1),
      changed('ord_3', 3, { codes: ['DUPLICATE'] }),
      changed('ord_4', 4, { broadcast_months: ['2030-07'] }),
      changed('ord_5', 5, OTHER_BUYER),
      changed('ord_65', 6, OTHER_SELLER),
      changed('ord_6', 6, OTHER_SELLER),
      changed('ord_7', 2 ** 40),
    ])
    const list = async (more: object = {}, after = FIRST_CHANGE, reader: typeof BUYER | typeof SELLER = BUYER) => {
      const { items, last } = await listReconciledOrders(db, reader, after, { limit: 9, ...more })
      return [items.map(({ order_id }) => order_id), `${last.txid} ${last.order_id}`]
    }
    const own = ['ord_8', 'ord_1', 'ord_2', 'ord_3', 'ord_4']
    expect(await list()).toEqual([[...own, 'ord_6', 'ord_65'], '6 ord_65'])
    expect(await list({}, FIRST_CHANGE, SELLER)).toEqual([[...own, 'ord_5'], '5 ord_5'])
    expect([await list({ limit: 1 }), await list({ limit: 2 })]).toEqual([
      [['ord_8'], '1 ord_8'],
      [['ord_8', 'ord_1'], '2 ord_1'],
    ])
    expect(await list({}, { txid: '2', order_id: 'ord_1' })).toEqual([['ord_2', 'ord_3', 'ord_4', 'ord_6', 'ord_65'], '6 ord_65'])
    expect(await list({}, { txid: '2', order_id: 'ord_2' })).toEqual([['ord_3', 'ord_4', 'ord_6', 'ord_65'], '6 ord_65'])
    expect(await list({ code: 'DUPLICATE' })).toEqual([['ord_3'], '6 ord_65'])
    expect(await list({ broadcast_month: '2030-07' })).toEqual([['ord_4'], '6 ord_65'])
    expect(await list({ code: 'WRONG_COPY' })).toEqual([[], '6 ord_65'])
  })
})

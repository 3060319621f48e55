import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import type { BookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { bookSpots, listOrdersToBook, ROWS_PER_BATCH } from '../../../src/store/settlement/bookSpots.ts'
import { BUYER, SELLER } from '../../support/orders/anOrder.ts'
import { canceled, clearedAgreement, parkedUnder, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { recomputeOf } from '../../support/settlement/reconciling.ts'
import { until } from '../../support/until.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let agreement: Agreement
let orderId: string
beforeAll(async () => {
  agreement = await clearedAgreement(db)
})
beforeEach(async () => {
  orderId = await placedUnder(db.log, agreement)
})

const CODES = Array.from({ length: 100 }, (_, index) => `CODE${String(index).padStart(4, '0')}`)
/** Spots on so many dates, each with a hundred codes. */
const spotsOn = (dates: number, more: Partial<BookedSpots> = {}): BookedSpots[] =>
  Array.from({ length: dates }, (_, day) => ({
    ...{ unit_id: 'unit_1', network: 'CBL', air_date: addDays('2027-01-01', day), kind: 'spot' as const, product_id: 'prime', units: 1 },
    ...{ spot_length: 30, windows: [{ start: '19:00', end: '22:00' }], isci: CODES, price: '100', gross: '100', ...more },
  }))
const lastSeq = async () => (await db.log.load(orderId))?.last_seq as number
const book = async (spots: readonly BookedSpots[], booked_seq: number) =>
  bookSpots(
    db,
    {
      ...{ order_id: orderId, seller: SELLER, buyer_entity: BUYER, external_order_id: 'ext-1', seller_order_id: null },
      ...{ agreement_id: null, currency: 'USD', booked_seq, guarantees: [], ends_on: null },
    },
    spots,
  )
const rows = async (sql: string) => (await db.owner().query(sql.replaceAll('$order', `'${orderId}'`))).rows
const transactions = async (table: string) =>
  (await rows(`select count(*)::int as rows from ${table} where order_id = $order group by xmin::text`)).map((row) => row.rows)

it('an order that has moved on since it was read is left to who reads it next', async () => {
  const seq = await lastSeq()
  await canceled(db.log, orderId)
  expect(await book(spotsOn(1), seq)).toBe(false)
  expect(await rows('select from booked_orders where order_id = $order')).toEqual([])
  expect(await book(spotsOn(1, { units: 0, gross: '0' }), await lastSeq())).toBe(true)
  expect(await rows('select units from booked_spots where order_id = $order')).toEqual([{ units: 0 }])
  expect(await rows('select from booked_copies where order_id = $order')).toEqual([])
})

describe('what is booked again', () => {
  it('loses the copies of the dates that book nothing any more, and no other date or order loses any', async () => {
    const copies = async () =>
      (await rows('select air_date::text from booked_copies where order_id = $order group by 1 order by 1')).map(({ air_date }) => air_date)
    await book(spotsOn(2), await lastSeq())
    const first = orderId
    orderId = await placedUnder(db.log, agreement)
    await book(spotsOn(2), await lastSeq())
    expect(await copies()).toEqual(['2027-01-01', '2027-01-02'])
    await canceled(db.log, orderId)
    const [emptied, kept] = spotsOn(2) as [BookedSpots, BookedSpots]
    expect(await book([{ ...emptied, units: 0, gross: '0' }, kept], await lastSeq())).toBe(true)
    expect(await copies()).toEqual(['2027-01-02'])
    orderId = first
    expect(await copies()).toEqual(['2027-01-01', '2027-01-02'])
  })

  it('keeps the copies of a date that books other units', async () => {
    await book(spotsOn(1), await lastSeq())
    await canceled(db.log, orderId)
    expect(await book(spotsOn(1, { units: 2 }), await lastSeq())).toBe(true)
    expect(await rows('select count(*)::int as copies from booked_copies where order_id = $order')).toEqual([{ copies: CODES.length }])
  })

  it('leaves the order booked as of the earlier event when it breaks off', async () => {
    const seq = await lastSeq()
    await book(spotsOn(1), seq)
    await canceled(db.log, orderId)
    await rows('delete from reconcile_due where order_id = $order')
    const spots = spotsOn(150).map((spot, at) => (at < 149 ? spot : { ...spot, price: 'none' }))
    await expect(book(spots, await lastSeq())).rejects.toThrow()
    expect(await rows('select count(*)::int > 1 as written from booked_spots where order_id = $order')).toEqual([{ written: true }])
    expect(await rows('select booked_seq from booked_orders where order_id = $order')).toEqual([{ booked_seq: seq }])
    expect(await rows('select from reconcile_due where order_id = $order')).toEqual([])
  })

  it('changes nothing that the same event or a later one has booked', async () => {
    const seq = await lastSeq()
    const booked = async () =>
      (await rows('select units, gross::text, booked_seq from booked_spots join booked_orders using (order_id) where order_id = $order'))[0]
    await book(spotsOn(1), seq)
    for (const later of [0, 1]) {
      await rows(`update booked_orders set booked_seq = booked_seq + ${later} where order_id = $order`)
      expect(await book(spotsOn(1, { units: 2, gross: '99' }), seq)).toBe(true)
      expect(await booked()).toEqual({ units: 1, gross: '100', booked_seq: seq + later })
    }
  })
})

it('wakes the run of the seller once, unless the row that waits is being taken or was tried', async () => {
  const woken = async () => (await rows(`select from outbox where kind = 'reconcile' and target = '${SELLER}'`)).length
  await rows(`delete from outbox; insert into outbox (kind, target) values ('order', '${SELLER}'), ('reconcile', 'seller_two')`)
  await book(spotsOn(1), await lastSeq())
  expect(await woken()).toBe(1)
  expect(await rows(`select from outbox where claimable_at > created_at + interval '1 s'`)).toHaveLength(1)
  const again = async () => {
    await canceled(db.log, orderId).catch(() => undefined)
    await rows('update booked_orders set booked_seq = 0 where order_id = $order')
    await book(spotsOn(1), await lastSeq())
    return woken()
  }
  expect(await again()).toBe(1)
  const relay = await db.pool.connect()
  try {
    await relay.query('begin')
    await relay.query(`select from outbox where kind = 'reconcile' for update`)
    expect(await again()).toBe(2)
    await relay.query('rollback')
  } finally {
    relay.release()
  }
  await rows('update outbox set attempts = 1')
  expect(await again()).toBe(3)
})

describe('listOrdersToBook', () => {
  const listed = async (id: string) => (await db.owner().query('select * from booked_orders where order_id = $1', [id])).rows
  it('lists the placed orders of the seller that are not closed, once, with the ids that rows may name', async () => {
    const [closed, parked] = [await placedUnder(db.log, agreement), await parkedUnder(db.log, agreement)]
    await closeOrder(db.log, db, closed)
    await db.owner().query('delete from booked_orders where order_id = $1', [closed])
    await listOrdersToBook(db, 'seller_two')
    expect(await listed(orderId)).toEqual([])
    await listOrdersToBook(db, SELLER)
    await listOrdersToBook(db, SELLER)
    const { agreement_id } = agreement
    await rows('delete from booked_orders where order_id = $order')
    const receipt = { name: 'placement_receipt', seller_order_id: 'TC-1' }
    const artifacts = JSON.stringify([{ name: 'other', seller_order_id: 'TC-0' }, receipt, receipt])
    await rows(`update orders set snapshot_lines = ',"artifacts":${artifacts}' where order_id = $order`)
    await listOrdersToBook(db, SELLER)
    expect(await listed(orderId)).toMatchObject([{ seller_order_id: 'TC-1' }])
    expect(await listed(orderId)).toMatchObject([{ seller: SELLER, buyer_entity: BUYER, agreement_id, currency: 'USD', booked_seq: null }])
    expect([await listed(closed), await listed(parked)]).toEqual([[], []])
    await book(spotsOn(1), await lastSeq())
    await listOrdersToBook(db, SELLER)
    expect(await listed(orderId)).toMatchObject([{ booked_seq: await lastSeq() }])
  })
})

it('waits for nothing that waits for the order: a credit, a new result and a booking at a time all succeed', async () => {
  const seq = await lastSeq()
  await book(spotsOn(1), seq)
  await recomputeOf({ databaseUrl: db.url })(SELLER)
  await rows(`insert into reconcile_due (order_id, seller) values ($order, '${SELLER}')`)
  await rows(`update reconciliations set digest = '' where order_id = $order`)
  const waiting = async (processes: number) => {
    const { rows: found } = await db
      .owner()
      .query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return found.length >= processes
  }
  const credit = await db.pool.connect()
  try {
    // As a credit does: its reconciliation, and then, with the credit note, its row.
    await credit.query('begin')
    await credit.query('select from reconciliations where order_id = $1 for update', [orderId])
    const recomputed = recomputeOf({ databaseUrl: db.url })(SELLER)
    await until(() => waiting(1))
    await rows('update booked_orders set booked_seq = booked_seq - 1 where order_id = $order')
    const booked = book(spotsOn(1, { gross: '99' }), seq)
    await until(() => waiting(2))
    await credit.query('update orders set drawn = drawn where order_id = $1', [orderId])
    await credit.query('commit')
    expect([await booked, (await recomputed).failing]).toEqual([true, 0])
  } finally {
    credit.release()
  }
})

describe('an order of many spots and codes', () => {
  it('is written in short transactions, and booked with the last', async () => {
    expect(await book(spotsOn(300), await lastSeq())).toBe(true)
    const written = await transactions('booked_copies')
    expect(written.reduce((total, count) => total + count, 0)).toBe(300 * CODES.length)
    expect(Math.max(...written)).toBeLessThanOrEqual(ROWS_PER_BATCH)
    expect(await transactions('booked_spots')).toHaveLength(written.length)
    const [marked] = await rows(
      `select b.xmin = d.xmin as is_last, b.booked_seq from booked_orders b join reconcile_due d using (order_id) where order_id = $order`,
    )
    expect(marked).toEqual({ is_last: true, booked_seq: await lastSeq() })
  })

  it('continues where an earlier attempt ended', async () => {
    const seq = await lastSeq()
    expect(await book(spotsOn(300), seq)).toBe(true)
    await db.owner().query('update booked_orders set booked_seq = null where order_id = $1', [orderId])
    await db.owner().query(`delete from booked_spots where order_id = $1 and air_date > '2027-04-10'`, [orderId])
    const [{ kept }] = await rows('select json_agg(xmin::text order by air_date) as kept from booked_spots where order_id = $order')
    expect(await book(spotsOn(300), seq)).toBe(true)
    const [{ after }] = await rows('select json_agg(xmin::text order by air_date) as after from booked_spots where order_id = $order')
    expect(after).toHaveLength(300)
    expect(after.slice(0, kept.length)).toEqual(kept)
  })
})

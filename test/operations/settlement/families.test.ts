import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Agreement } from '../../../src/contract/agreement.ts'
import { closeOrder } from '../../../src/operations/orders/closeOrder.ts'
import { issueInvoices } from '../../../src/operations/settlement/issueInvoices.ts'
import { readExposure } from '../../../src/store/tenants/credit.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { aLine } from '../../support/orders/anOrder.ts'
import { canceled, clearedAgreement, PAST_LINES, parkedUnder, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
let agreement: Agreement
beforeAll(async () => {
  agreement = await clearedAgreement(db, { credit_limit: 1_000_000 })
})
db.beforeStop(() => expectInvariants(db.url))

/** Six units at 100.00 before any placement, and six after it. */
const LINES = [...PAST_LINES.slice(0, 1), aLine({ product_id: 'coming', period: { grain: 'week', start: '2098-W10' } })]
const revising = (supersedes: string) => ({
  lines: LINES,
  revision: { version: 9, supersedes },
  intake: { superseded: { version: 1, family: [] } },
})
const drawnBy = async (...orders: string[]) =>
  (
    await db.pool.query('select drawn::float8 from orders where order_id = any($1) order by array_position($1, order_id)', [orders])
  ).rows.map(({ drawn }) => drawn)
const bookedOf = async (...orders: string[]) =>
  (
    await db.pool.query(
      `select order_id, left(air_date::text, 4) as year, sum(units)::int as units from booked_spots where order_id = any($1) and units > 0
        group by 1, 2 order by array_position($1, order_id), 2`,
      [orders],
    )
  ).rows.map(({ order_id, year, units }) => [orders.indexOf(order_id), year, units])

describe('a revision that is placed', () => {
  it('bills, books and draws what is from its placement on, and its predecessor what is before', async () => {
    const first = await placedUnder(db.log, agreement, { lines: LINES })
    const second = await placedUnder(db.log, agreement, revising(first))
    const third = await placedUnder(db.log, agreement, revising(second))
    for (const orderId of [first, second, third]) await closeOrder(db.log, db, orderId)
    expect(await drawnBy(first, second, third)).toEqual([600, 0, 600])
    expect(await bookedOf(first, second, third)).toEqual([
      [0, '2024', 6],
      [2, '2098', 6],
    ])
    const asOf = '2099-01-01T00:00:00.000Z'
    const issued = []
    for (const orderId of [first, second, third]) issued.push((await issueInvoices(db.log, orderId, asOf)).length)
    expect(issued).toEqual([0, 0, 1]) // the first was invoiced as it closed
    expect(Number(await readExposure(db.pool, agreement.agreement_id))).toBe(1200)
  })

  it('takes over from the date of its cancellation, when its predecessor was canceled before', async () => {
    const first = await placedUnder(db.log, agreement, { lines: LINES })
    await canceled(db.log, first)
    const second = await placedUnder(db.log, agreement, revising(first))
    await canceled(db.log, second)
    for (const orderId of [first, second]) await closeOrder(db.log, db, orderId)
    expect([await drawnBy(first, second), await bookedOf(first, second)]).toEqual([[600, 0], [[0, '2024', 6]]])
  })

  it('bills everything when no order of its family was placed before', async () => {
    const first = await parkedUnder(db.log, agreement, { lines: LINES })
    const second = await placedUnder(db.log, agreement, revising(first))
    await closeOrder(db.log, db, second)
    expect(await drawnBy(second)).toEqual([1200])
    await canceled(db.log, second)
  })
})

it('the checker finds a date that two orders of a family bill', async () => {
  const own = await clearedAgreement(db, { agreement_id: 'agr_twice', credit_limit: 1_000_000 })
  const orders = [await placedUnder(db.log, own, { lines: LINES }), await placedUnder(db.log, own, { lines: LINES })]
  await db.owner().query('update orders set root = $1 where order_id = any($2)', [orders[0], orders])
  expect((await checkInvariants(db.url)).map(({ invariant }) => invariant)).toContain('I16')
  await db.owner().query('update orders set root = null where order_id = any($1)', [orders])
  await expectInvariants(db.url)
})

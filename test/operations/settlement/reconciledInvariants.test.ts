import { beforeEach, describe, expect, it } from '@jest/globals'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { checkInvariants } from '../../support/invariants/invariants.ts'
import { aBill, anAiring } from '../../support/settlement/aSellerRow.ts'
import { bookOrders } from '../../support/settlement/bookOrders.ts'
import { writeRows } from '../../support/settlement/reconciling.ts'
import { useReconciling } from '../../support/settlement/useReconciling.ts'

const SELLER = 'station'
const { db, recompute } = useReconciling(SELLER)
const order_id = 'ord_1'
const TABLES = ['reconciliations', 'reconciliation_lines', 'booked_orders', 'as_run_rows', 'as_run_days', 'billed_rows', 'seller_invoices']
beforeEach(async () => {
  for (const table of TABLES) await db.owner().query(`delete from ${table}`)
  await bookOrders(db, { order_id, units: ['unit_1', 'unit_2'], isci: ['COPY1'] })
  await writeRows(db, SELLER, [
    { order_id, row: anAiring() },
    { order_id, row: aBill() },
  ])
  await recompute(SELLER)
})

describe('the checker sees', () => {
  it('nothing wrong with a reconciliation that was written', () => expectInvariants(db.url))

  it.each([
    ['totals that lines do not add up to', `update reconciliation_lines set body = replace(body::text, '"open":0', '"open":1')::json`],
    ['a spot that is not counted', 'update booked_spots set units = 5'],
    ['an airing that is not counted', `insert into as_run_rows select (json_populate_record(r, '{"row":99}')).* from as_run_rows r`],
    ['a bill that is not counted', 'delete from billed_rows'],
    ['a result of other rows', 'update billed_rows set rate = 7'],
    ['lines of no result', 'update reconciliation_lines set result = result + 1'],
    ['lines of an order that is too large to have any', `update reconciliations set state = 'too_large'`],
  ])('%s', async (_, change) => {
    await db.owner().query(change)
    const broken = await checkInvariants(db.url)
    expect(broken.length).toBeGreaterThan(0)
    expect(broken.every(({ invariant }) => invariant === 'I18')).toBe(true)
  })
})

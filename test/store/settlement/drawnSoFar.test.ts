import { expect, it } from '@jest/globals'
import { up } from '../../../src/store/migrations/0112_drawn_so_far.ts'
import { expectInvariants } from '../../support/invariants/expectInvariants.ts'
import { migrateAgain } from '../../support/migrateAgain.ts'
import { aLine } from '../../support/orders/anOrder.ts'
import { stored } from '../../support/orders/storedOrders.ts'
import { canceled, clearedAgreement, PAST_LINES, placedUnder } from '../../support/settlement/clearedOrders.ts'
import { useDatabase } from '../../support/useDatabase.ts'

const db = useDatabase()
const figures = async () =>
  (await db.owner().query('select order_id, drawn::float8 as drawn, invoice_due_at, status from orders order by order_id')).rows as {
    order_id: string
    drawn: number
    invoice_due_at: Date | null
    status: string
  }[]

it('the migration counts open, placed and canceled orders as an append does, and leaves none uninvoiced', async () => {
  const agreement = await clearedAgreement(db, { credit_limit: 1_000_000 })
  const future = aLine({ product_id: 'coming', period: { grain: 'week', start: '2098-W10' } })
  const byCpm = aLine({
    product_id: 'cpm',
    period: { grain: 'month', start: '2024-12' },
    units: 16,
    rate: { cpm: 12.35, guaranteed_impressions: 105_500, audience_code: 'A25-54', buy_type: 'audience_guaranteed' },
  })
  const terms = { notice_days: 30_000, late_fee_pct: 7.5 }
  const under = { agreement_id: agreement.agreement_id, intake: { agreements: [agreement] } }
  await stored(db.log, under)
  await canceled(db.log, await stored(db.log, under))
  await stored(db.log)
  await placedUnder(db.log, agreement)
  await placedUnder(db.log, agreement, { lines: [future] })
  for (const lines of [[future], [byCpm, future], PAST_LINES]) {
    await canceled(db.log, await placedUnder(db.log, agreement, { lines }))
    await canceled(db.log, await placedUnder(db.log, agreement, { lines, terms }))
  }
  const kept = await figures()
  expect(kept.filter(({ drawn }) => drawn > 0)).toHaveLength(8)
  await db.owner().query('update orders set drawn = 0, invoice_due_at = null')
  await migrateAgain(db.owner(), up)
  const migrated = await figures()
  expect(migrated.map(({ order_id, drawn }) => [order_id, drawn])).toEqual(kept.map(({ order_id, drawn }) => [order_id, drawn]))
  // An early look does no harm. Canceled orders are due at once, for what was invoiced ahead: nothing was before this migration.
  const dueAt = new Map(migrated.map(({ order_id, invoice_due_at }) => [order_id, invoice_due_at]))
  const isLate = ({ order_id, invoice_due_at }: (typeof kept)[number]) => Number(dueAt.get(order_id) ?? Number.NaN) > Number(invoice_due_at)
  const placed = kept.filter(({ invoice_due_at, status }) => invoice_due_at !== null && status !== 'canceled')
  expect([placed.length > 0, placed.filter(isLate)]).toEqual([true, []])
  await expectInvariants(db.url)
})

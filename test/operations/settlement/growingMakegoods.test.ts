import { expect, it } from '@jest/globals'
import { sowReconciliation } from '../../bench/sowReconciliation.ts'
import { useReconciling } from '../../support/settlement/useReconciling.ts'

const SELLER = 'station'
const { db, recompute } = useReconciling(SELLER)

/** The smaller size of P21 of `npm run bench`, which measures a million spots. */
it('of two thousand spots of which one in a hundred was preempted, each is reconciled with the spot that makes it good', async () => {
  const orders = 40
  await sowReconciliation({ pool: db.owner() }, { seller: SELLER, orders, spots: 50, preempted: true })
  await db.owner().query(`insert into reconcile_due (order_id, seller) select order_id, seller from booked_orders`)
  expect(await recompute(SELLER)).toMatchObject({ waiting: 0, failing: 0 })
  const { rows } = await db
    .owner()
    .query<{ made_good: number; orders: number; missed: number }>(
      `select count(*)::int as orders, sum((totals->>'made_good')::int)::int as made_good, sum((totals->>'missed')::int)::int as missed from reconciliations`,
    )
  expect(rows).toEqual([{ orders, made_good: orders / 2, missed: 0 }])
})

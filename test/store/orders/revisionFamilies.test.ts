import { expect, it } from '@jest/globals'
import * as revisionFamilies from '../../../src/store/migrations/0049_revision_families.ts'
import * as firstOrders from '../../../src/store/migrations/0070_first_orders.ts'
import * as placedAt from '../../../src/store/migrations/0071_placed_at.ts'
import { migrateAgain } from '../../support/migrateAgain.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const stored = async () => (await market.owner().query('select order_id, root, placed_at from orders order by order_id')).rows

it('the migrations find the families that creates would have kept, and when their orders were placed', async () => {
  const first = await market.placed()
  const second = await market.created({ revision: { supersedes: first } })
  await market.created({ revision: { supersedes: first } })
  const third = await market.placed({ revision: { supersedes: second } })
  await market.acme.post(`/orders/${third}/cancel`, {})
  await market.created()
  const kept = await stored()
  expect(kept.map(({ root }) => root)).toEqual([first, first, first, first, null])
  expect(kept.map(({ placed_at }) => placed_at !== null)).toEqual([true, false, false, true, false])
  // The trigger that keeps the figures of credit names the column.
  await market.owner().query('drop trigger drawn_by_change on orders; alter table orders drop column root, drop column placed_at')
  await migrateAgain(market.owner(), revisionFamilies.up, firstOrders.up, placedAt.up)
  expect(await stored()).toEqual(kept)
})

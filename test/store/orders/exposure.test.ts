import { expect, it } from '@jest/globals'
import { up } from '../../../src/store/migrations/0072_exposure.ts'
import { migrateAgain } from '../../support/migrateAgain.ts'
import { counterOrder } from '../../support/orders/decisions.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const counter = async (orderId: string, line: number, price: object) =>
  expect((await counterOrder(market, orderId, price, line)).status).toBe(202)
const stored = async () => (await market.owner().query('select order_id, gross from orders order by order_id')).rows

it('the migration counts what orders with countered lines may come to, and leaves all others as they are', async () => {
  const guaranteed = {
    advertiser_class: 'guaranteed',
    buy_type: 'audience_guaranteed',
    unit_cost: undefined,
    cpm: 24.5,
    guaranteed_impressions: 40_000,
    audience_code: 'A25-54',
    locked_rate_id: market.price('prime', '2030-W23', 'guaranteed'),
  }
  const charity = { advertiser_class: 'charity', cpm: 0.67, locked_rate_id: market.price('prime', '2030-W23', 'charity') }
  const lines = { line_items: [market.line(), market.line({ units: 7 }, guaranteed), market.line({ units: 3 }, charity)] }
  const [costlier = '', cheaper = '', twice = '', byCpm = '', canceled = ''] = await Promise.all(
    Array.from({ length: 5 }, () => market.parked(lines)),
  )
  await market.placed(lines)
  await market.parked(lines)
  await counter(costlier, 0, { unit_cost: 1300.01 })
  await counter(cheaper, 0, { unit_cost: 0.01 })
  await counter(twice, 0, { unit_cost: 2000 })
  await counter(twice, 2, { cpm: 0.89 })
  await counter(twice, 0, { unit_cost: 1900 })
  await counter(byCpm, 1, { cpm: 31.27 })
  await counter(canceled, 2, { cpm: 5 })
  expect((await market.acme.post(`/orders/${canceled}/cancel`, {})).status).toBe(202)

  const kept = await stored()
  // As it was before: totals.gross, in which what waits for an answer counts nothing.
  await market.owner().query(`update orders set gross = ((snapshot_head || '}')::jsonb->'totals'->>'gross')::numeric`)
  expect((await stored()).filter(({ gross }, index) => gross !== kept[index]?.gross)).toHaveLength(5)
  await migrateAgain(market.owner(), up)
  expect((await stored()).map(({ order_id, gross }) => [order_id, Number(gross)])).toEqual(
    kept.map(({ order_id, gross }) => [order_id, Number(gross)]),
  )
})

import { expect, it } from '@jest/globals'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

it('an order and all that revises it are a family, named by its first order, and an order stays placed at its time', async () => {
  const first = await market.placed()
  const second = await market.created({ revision: { supersedes: first } })
  await market.created({ revision: { supersedes: first } })
  const third = await market.placed({ revision: { supersedes: second } })
  await market.acme.post(`/orders/${third}/cancel`, {})
  await market.created()
  const { rows } = await market.owner().query('select root, placed_at from orders order by order_id')
  expect(rows.map(({ root }) => root)).toEqual([first, first, first, first, null])
  expect(rows.map(({ placed_at }) => placed_at !== null)).toEqual([true, false, false, true, false])
})

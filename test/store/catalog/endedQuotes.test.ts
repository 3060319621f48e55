import { expect, it } from '@jest/globals'
import { up } from '../../../src/store/migrations/0048_ended_quotes.ts'
import { migrateAgain } from '../../support/migrateAgain.ts'
import { counterOrder, decideOrder } from '../../support/orders/decisions.ts'
import { proposalsOf } from '../../support/orders/proposals.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()

const countered = async (orderId: string, unit_cost = 900) => expect((await counterOrder(market, orderId, { unit_cost })).status).toBe(202)
const ended = async () => (await market.owner().query('select ended_id from ended_quotes order by ended_id')).rows

it('the migration ends the quotes that a database with live orders shows to have ended, and no others', async () => {
  const proposals = await proposalsOf(market)
  const orders = [await market.parked(), await market.parked(), await market.parked()]
  const [rejected = '', placed = '', open = ''] = orders
  for (const orderId of orders) await countered(orderId)
  await countered(open, 950) // replaces a quote, and leaves one
  await decideOrder(market, rejected, { decision: 'reject' })
  await market.acme.post(`/orders/${placed}/respond`, { action: 'accept' })
  const proposal = await proposals.asked()
  for (const unit_cost of [700, 800]) await proposals.planned(proposal, { line_items: [proposals.quoted({}, { unit_cost })] })
  const before = await ended()
  expect(before).toHaveLength(3)
  await market.owner().query('drop table ended_quotes; drop index rate_commits_of_order; alter table rate_entries drop column quote_id')
  await migrateAgain(market.owner(), up)
  expect(await ended()).toEqual(before)
})

import { beforeAll, expect, it } from '@jest/globals'
import { issueInvoices } from '../../../src/operations/settlement/issueInvoices.ts'
import { aLogged, bookedOrder, sendPosts } from '../../support/settlement/sendPosts.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const effective = { start: '2020-01-01', end: '2099-12-31' }
beforeAll(async () => {
  await market.cable.put('/me/agreements/agr-1', { buyer_entity: 'acme', effective, settlement_mode: 'cleared', agency_commission_pct: 15 })
})

/**
 * Each takes several of: the lock of an order, its reconciliation, its invoice, the counter of numbers, its row. A circle among them would end one with a
 * deadlock. What is disputed and credited in the end is checked by the invariants when the market stops.
 */
it('actions, new results, payments and invoices of the same orders never wait for each other in a circle', async () => {
  const orders: string[] = []
  for (let made = 0; made < 3; made += 1) orders.push(await bookedOrder(market, { agreement_id: 'agr-1' }))
  const late = (order: string, times: readonly string[]) => times.map((air_time) => aLogged(order, { air_time }))
  const logs = (times: readonly string[]) =>
    sendPosts(
      market,
      'cable',
      orders.flatMap((order) => late(order, times)),
    )
  await logs(['23:20', '23:30'])
  const statuses = new Set<number>()
  const act = async (order: string, place: number, round: number) => {
    const { lines } = (await market.acme.get(`/orders/${order}/reconciliation?code=OUT_OF_DAYPART`)).body
    const id = lines.at(0)?.variances.at(place)?.variance_id
    if (id === undefined) return
    const at = `/orders/${order}/reconciliation/variances/${id}`
    for (const reply of [
      await market.acme.post(at, { action: 'dispute', note: `round ${round}` }),
      await market.cable.post(`/me${at}`, round % 2 === 0 ? { action: 'credit', amount: 10 + round } : { action: 'uphold' }),
    ])
      statuses.add(reply.status)
  }
  const paid = async (order: string) => {
    const { items } = (await market.cable.get(`/me/settlement/invoices?order_id=${order}&kind=invoice`)).body
    for (const { invoice_id } of items) statuses.add((await market.cable.post(`/me/settlement/invoices/${invoice_id}/paid`, {})).status)
  }
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([
      ...orders.flatMap((order) => [act(order, 0, round), act(order, 1, round)]),
      ...orders.map((order) => issueInvoices(market.deps.orders, order, '2030-07-01T14:00:00.000Z')),
      logs(round % 2 === 0 ? ['23:20', '23:30', `2${round}:05`] : ['23:20', `2${round}:15`]),
      ...(round === 2 ? orders.map(paid) : []),
    ])
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(statuses).toContain(200)
}, 120_000)

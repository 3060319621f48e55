import { expect, it } from '@jest/globals'
import { heldBy } from '../support/orders/holds.ts'
import { useMarket } from '../support/useMarket.ts'
import { besideFlood, statusesOf } from './support/besideFlood.ts'
import { attackMs, scale } from './support/scale.ts'

const market = useMarket()
const anOrder = async () => expect((await market.zenith.post('/orders', market.order())).status).toBe(201)

it('a flood of elapses of one order by both of its sides delays no other tenant, and loses no second of them', async () => {
  const order = await market.parked()
  const path = `/sandbox/orders/${order}/elapse`
  const body = JSON.stringify({ what: 'decision', by: 1 })
  const flooded = await besideFlood({
    name: 'elapses of one order',
    baseUrl: market.baseUrl,
    call: anOrder,
    floods: [market.acme, market.cable].map(({ token }) => ({ method: 'POST', path, token, body, atOnce: scale(4, 32) })),
    ms: attackMs(1_000, 20_000),
    floorMs: 1_000,
  })
  expect(statusesOf(flooded).filter((status) => ![200, 429, 503].includes(Number(status)))).toEqual([])
  const { rows } = await market.owner().query<{ elapsed_s: number }>('select elapsed_s from orders where order_id = $1', [order])
  expect(rows).toEqual([{ elapsed_s: flooded.answers.get(200) }])
  expect((await market.events(order)).length).toBe(3)
}, 240_000)

it('a flood of elapses of one hold ends it once, and delays no other tenant', async () => {
  await market.cable.put('/me/capabilities', { holds: true })
  const hold = await heldBy(market)
  const flooded = await besideFlood({
    name: 'elapses of one hold',
    baseUrl: market.baseUrl,
    call: anOrder,
    floods: [{ method: 'POST', path: `/sandbox/holds/${hold}/elapse`, token: market.acme.token, atOnce: scale(8, 64) }],
    ms: attackMs(1_000, 20_000),
    floorMs: 1_000,
  })
  expect(flooded.answers.get(200)).toBe(1)
  expect(statusesOf(flooded).filter((status) => ![200, 409, 429, 503].includes(Number(status)))).toEqual([])
  const { rows } = await market.owner().query(`select count(*)::int as n from outbox where kind = 'hold' and target = $1`, [hold])
  expect(rows).toEqual([{ n: 2 }])
}, 240_000)

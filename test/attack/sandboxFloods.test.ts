import { beforeAll, expect, it } from '@jest/globals'
import { inventoryOf } from '../../src/local/sandbox/inventory.ts'
import { sandboxParties } from '../support/sandboxParties.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const market = useMarket()
beforeAll(async () => {
  const parties = await sandboxParties(market, ['sandbox-buyer'])
  market.beforeStop(() => parties.stop())
  parties.act()
  const { catalog, rateCard, avails } = inventoryOf('sandbox-tv', new Date().toISOString().slice(0, 10))
  for (const [path, body] of Object.entries({ catalog, 'rate-cards': rateCard, avails })) await market.station.put(`/me/${path}`, body)
})

it('a flood of the routes of the sandbox ends at its bounds, and another tenant keeps ordering', async () => {
  const mine = async () => void (await market.created())
  const calm = await quiet(mine, { calls: scale(10, 100) })

  const parked = await market.parked()
  const answers = new Map<string, number>()
  const asks = [
    ['orders', () => market.station.post('/sandbox/orders', {})],
    ['tenants', () => market.zenith.post('/sandbox/tenants', { side: 'buyer' })],
    ['elapse', () => market.cable.post(`/sandbox/orders/${parked}/elapse`, { what: 'decision', by: 1 })],
  ] as const
  const flood = async (_: unknown, at: number) => {
    const [name, ask] = asks[at % asks.length] as (typeof asks)[number]
    for (let time = 0; time < scale(10, 200); time += 1) {
      // Orders are waited for, a few at once; asks beyond those are answered without.
      for (const { status } of await Promise.all(Array.from({ length: name === 'orders' ? 4 : 1 }, ask)))
        answers.set(`${name} ${status}`, (answers.get(`${name} ${status}`) ?? 0) + 1)
    }
  }
  const besideFlood = await victim(mine, Promise.all(Array.from({ length: 24 }, flood)), { least: 5 })

  report('routes of the sandbox', { ...besideQuiet(calm, besideFlood), ...Object.fromEntries([...answers].sort()) })
  expect(besideFlood.failures).toEqual([])
  expectWithin(besideFlood.p99, Math.max(5 * calm.p99, 1_000))
  expect([answers.get('tenants 201'), answers.get('elapse 200')]).toEqual([20, 8 * scale(10, 200)])
  expect(answers.get('orders 429')).toBeGreaterThan(0)
  expect([...answers.keys()].filter((answer) => !/ (200|201|429|503)$/.test(answer))).toEqual([])
}, 240_000)

it('elapses the quotes of 1,000 parked orders in less than 10 s, so that a test suite need not wait', async () => {
  const count = scale(100, 1_000)
  const waiting: string[] = []
  const park = async () => {
    while (waiting.length < count) {
      const order = await market.parked()
      const [line] = (await market.snapshot(order)).line_items
      const units = [{ unit_id: line?.unit_id, action: 'counter', counter: { week: '2030-W24', unit_cost: 1300 } }]
      await market.cable.post(`/me/orders/${order}/decide`, { decision: 'counter', actor: 'Ada', units })
      waiting.push(order)
    }
  }
  await Promise.all(Array.from({ length: 8 }, park))
  const orders = [...waiting]

  const began = performance.now()
  const elapse = async () => {
    for (let order = waiting.pop(); order !== undefined; order = waiting.pop())
      expect((await market.acme.post(`/sandbox/orders/${order}/elapse`, { what: 'quote' })).body.substatus).toBe('quote_lapsed')
  }
  await Promise.all(Array.from({ length: 16 }, elapse))
  const ms = performance.now() - began

  report('elapsing quotes', { orders: orders.length, seconds: (ms / 1_000).toFixed(1) })
  // Beside other tests a machine may be thirty times as slow: this then shows only that nobody waits for a deadline.
  expectWithin(ms, orders.length * 10, 30)
}, 240_000)

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from '@jest/globals'
import { SELLER_SECRET, type SellerServer, startSellerServer } from '../support/http/sellerServer.ts'
import type { Tenant } from '../support/market.ts'
import { useMarket } from '../support/useMarket.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'
import { expectWithin } from './support/timing.ts'
import { besideQuiet, quiet, victim } from './support/victim.ts'

const market = useMarket({ holdBounds: { perBuyer: 200, perSeller: scale(50, 200) } })
let server: SellerServer
beforeAll(async () => {
  server = await startSellerServer(async () => {
    await sleep(50)
    return { status: 204 }
  })
  await market.cable.put('/me/secrets/pull', { value: SELLER_SECRET })
  const pull = { base_url: server.url, secret_ref: 'pull', max_concurrent: 4 }
  const { status, text } = await market.cable.put('/me/capabilities', { holds: true, transports: { pull } })
  if (status !== 200) throw new Error(text)
}, 60_000)
market.beforeStop(async () => {
  await server.stop()
})

const line = { product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, units: 1, spot_length: 30 }
const hold = (tenant: Tenant, units = 1) => tenant.post('/holds', { seller: 'cable', lines: [{ ...line, units }], ttl_minutes: 1_440 })

it('a flood of holds of one buyer ends at its bound, and another buyer keeps holding', async () => {
  const mine = async () => {
    const { status, body, text } = await hold(market.zenith)
    if (status !== 201) throw new Error(text)
    await market.zenith.delete(`/holds/${body.hold_id}`)
  }
  const calm = await quiet(mine, { calls: scale(10, 50) })

  const answers = new Map<number, number>()
  const flood = async () => {
    // A hold that gets 503 is sent again, or a fast machine would end the flood before it reaches the bound.
    for (let at = 0; at < scale(10, 100); ) {
      const { status } = await hold(market.acme)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status === 503) await sleep(20)
      else at += 1
    }
  }
  const besideFlood = await victim(mine, Promise.all(Array.from({ length: 24 }, flood)), { least: 5 })
  const { body: million } = await hold(market.acme, 1_000_000)

  report('holds', { ...besideQuiet(calm, besideFlood), held: answers.get(201) ?? 0, refused: answers.get(422) ?? 0 })
  expect(besideFlood.failures).toEqual([])
  expectWithin(besideFlood.p99, Math.max(5 * calm.p99, 1_000))
  expect(answers.get(201)).toBeGreaterThan(0)
  expect(answers.get(201)).toBeLessThanOrEqual(scale(50, 200))
  expect(answers.get(422)).toBeGreaterThan(0)
  expect([...answers.keys()].filter((status) => ![201, 422, 503].includes(status))).toEqual([])
  expect(million.error_code).toBe('INVENTORY_UNAVAILABLE')
}, 120_000)

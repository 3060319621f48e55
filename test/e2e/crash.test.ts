import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openClient } from '../../src/client/client.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { dieUnderLoad, openParties, UNDER_LOAD } from './deaths.ts'
import { evidenceOf } from './evidence.ts'
import { orderBody } from './market.ts'
import { type Product, startProduct } from './product.ts'
import { type Parties, startTraffic, type TrackedOrder, type Traffic } from './traffic.ts'
import { brokenPromises, whatStillMoves, wrongsSeenByClients } from './verdict.ts'

describe('what dies comes back, and nothing is lost or doubled', () => {
  const orders: TrackedOrder[] = []
  let dataDir: string
  let port: number
  let product: Product
  let parties: Parties

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'marketplace-crash-'))
    port = await freePort()
    product = await startProduct({ dataDir, port, env: UNDER_LOAD })
    parties = await openParties(product)
  }, 150_000)

  afterAll(async () => {
    await product.stop()
    await rm(dataDir, { recursive: true, force: true })
  }, 30_000)

  it('survives the death of worker, API, Temporal and Postgres under load', async () => {
    const traffic = await dieUnderLoad(product, parties, { parts: ['worker', 'api', 'temporal', 'postgres', 'backend'], name: 'deaths' })
    await nothingIsWrong(traffic)
  }, 300_000)

  it('takes orders and cancellations while Temporal is away, and catches up', async () => {
    const [buyer = '', credential] = Object.entries(product.credentials.buyers)[0] ?? []
    const asBuyer = openClient({ baseUrl: product.baseUrl, token: credential?.token ?? '' })
    expect(await product.signal('temporal', 'SIGSTOP')).toBe(true)
    const bodies = [0, 1, 2, 3].map((index) => orderBody(parties.market, `away-${index}`))
    const created = await Promise.all(bodies.map((body) => asBuyer.placeOrder({ body })))
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const ids = created.map(({ body }) => body.order_id)
    const canceled = await asBuyer.cancelOrder({ path: { order_id: ids[0] ?? '' }, body: { actor: 'planner', reason: 'budget' } })
    expect(canceled.status).toBe(202)
    expect(await product.signal('temporal', 'SIGCONT')).toBe(true)

    for (const [index, orderId] of ids.entries()) {
      const expected = index === 0 ? 'canceled' : 'seller_review'
      await reaches(orderId, expected)
      orders.push({ orderId, buyer, body: bodies[index] ?? '', reply: created[index]?.text ?? '', expected })
    }
  }, 120_000)

  it('goes on where it was when the supervisor itself was killed', async () => {
    const traffic = startTraffic(parties, { name: 'supervisor' })
    await sleep(1_000)
    await product.killSupervisor()
    product = await startProduct({ dataDir, port, env: UNDER_LOAD })
    await sleep(500)
    await traffic.finish()
    await nothingIsWrong(traffic)
  }, 300_000)

  it('stops under load within ten seconds, leaves nothing running, and goes on at the next start', async () => {
    const traffic = startTraffic(parties, { name: 'restart' })
    await sleep(1_000)
    const { exitCode, tookMs, left } = await product.stop()
    product = await startProduct({ dataDir, port, env: UNDER_LOAD })
    await traffic.finish()
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] })
    expect(tookMs).toBeLessThan(10_000)
    await nothingIsWrong(traffic)
  }, 300_000)

  async function nothingIsWrong(traffic: Traffic): Promise<void> {
    orders.push(...traffic.orders)
    expect(traffic.faults).toEqual([])
    expect(await wrongsSeenByClients(parties, orders)).toEqual([])
    expect(await whatStillMoves(dataDir, orders)).toEqual([])
    expect(await brokenPromises(dataDir, orders)).toEqual([])
  }

  async function reaches(orderId: string, status: string): Promise<void> {
    const [asBuyer] = Object.values(parties.buyers)
    for (let attempt = 0; attempt < 400; attempt += 1) {
      const answer = await asBuyer?.getOrder({ path: { order_id: orderId } })
      if (answer?.body.status === status) return
      await sleep(50)
    }
    throw new Error(`${orderId} does not become ${status}:\n${await evidenceOf(dataDir, [orderId])}`)
  }
})

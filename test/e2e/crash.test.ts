import { beforeAll, describe, expect, it } from '@jest/globals'
import { Connection } from '@temporalio/client'
import { temporalAddress } from '../../src/local/embedded/temporal.ts'
import { openOwnClient } from '../../src/sdk/ownClient.ts'
import { until } from '../support/until.ts'
import { killUnderLoad, openParties, UNDER_LOAD } from './deaths.ts'
import { evidenceOf } from './evidence.ts'
import { orderBody } from './market.ts'
import { type Parties, startTraffic, type TrackedOrder, type Traffic } from './traffic.ts'
import { useProduct } from './useProduct.ts'
import { brokenPromises, unfinishedOrders, wrongsSeenByClients } from './verdict.ts'

describe('a killed part comes back, and nothing is lost or doubled', () => {
  const orders: TrackedOrder[] = []
  const product = useProduct({ env: UNDER_LOAD })
  let parties: Parties
  beforeAll(async () => {
    parties = await openParties(product)
  })

  it('survives the death of worker, API, Temporal and Postgres under load', async () => {
    const traffic = await killUnderLoad(product, parties, { parts: ['worker', 'api', 'temporal', 'postgres', 'backend'], name: 'deaths' })
    await nothingIsWrong(traffic)
  }, 300_000)

  it('takes orders and cancellations while Temporal is away, and catches up', async () => {
    const [buyer = '', credential] = Object.entries(product.credentials.buyers)[0] ?? []
    const asBuyer = openOwnClient({ baseUrl: product.baseUrl, token: credential?.token ?? '' })
    expect(await product.signal('temporal', 'SIGSTOP')).toBe(true)
    const bodies = [0, 1, 2, 3].map((index) => orderBody(parties.market, `away-${index}`))
    const created = await Promise.all(bodies.map((body) => asBuyer.createOrder({ body })))
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

  it('gets the namespace of its Temporal back when somebody has deleted it, and goes on', async () => {
    const connection = await Connection.connect({ address: await temporalAddress(product.dataDir) })
    await connection.operatorService.deleteNamespace({ namespace: 'default' })
    await connection.close()
    const traffic = startTraffic(parties, { name: 'anew' })
    await moreOrders(traffic)
    await traffic.finish()
    await nothingIsWrong(traffic)
    expect(product.said()).toContain('Temporal had lost its namespace default, which is registered again.')
  }, 300_000)

  it('continues where it was when the supervisor itself was killed', async () => {
    const traffic = startTraffic(parties, { name: 'supervisor' })
    await moreOrders(traffic)
    await product.killSupervisor()
    await product.startAgain()
    await moreOrders(traffic)
    await traffic.finish()
    await nothingIsWrong(traffic)
  }, 300_000)

  it('stops under load within ten seconds, leaves nothing running, and continues at the next start', async () => {
    const traffic = startTraffic(parties, { name: 'restart' })
    await moreOrders(traffic)
    const { exitCode, tookMs, left } = await product.stop()
    await product.startAgain()
    await traffic.finish()
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] })
    expect(tookMs).toBeLessThan(10_000)
    await nothingIsWrong(traffic)
  }, 300_000)

  /** Waits until the clients have placed some more orders. */
  function moreOrders({ orders: placed }: Traffic): Promise<void> {
    const before = placed.length
    return until(() => placed.length > before + 5, 60)
  }

  async function nothingIsWrong(traffic: Traffic): Promise<void> {
    orders.push(...traffic.orders)
    expect(traffic.faults).toEqual([])
    expect(await wrongsSeenByClients(parties, orders)).toEqual([])
    expect(await unfinishedOrders(product.dataDir, orders)).toEqual([])
    expect(await brokenPromises(product.dataDir, orders)).toEqual([])
  }

  async function reaches(orderId: string, status: string): Promise<void> {
    const [asBuyer] = Object.values(parties.buyers)
    const hasReached = async () => (await asBuyer?.getOrder({ path: { order_id: orderId } }))?.body.status === status
    await until(hasReached).catch(async ({ message }: Error) => {
      throw new Error(`${orderId} does not become ${status}: ${message}\n${await evidenceOf(product.dataDir, [orderId])}`)
    })
  }
})

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { freePort } from '../../src/embedded/ports.ts'
import { postgresUrl } from '../../src/embedded/postgres.ts'
import { temporalAddress } from '../../src/embedded/temporal.ts'
import { runIdOf } from '../../worker/runs.ts'
import { until } from '../support/until.ts'
import { type Balancer, startBalancer, whyNoBalancer } from './balancer.ts'
import { openParties, UNDER_LOAD } from './deaths.ts'
import { type Parties, startTraffic, type TrackedOrder } from './traffic.ts'
import { startTwins, type Twins } from './twins.ts'
import { useProduct } from './useProduct.ts'
import { brokenPromises, whatStillMoves, wrongsSeenByClients } from './verdict.ts'

const whyNot = whyNoBalancer()
if (whyNot !== undefined) process.stderr.write(`twoOfEach.test.ts is left out: ${whyNot}.\n`)

;(whyNot === undefined ? describe : describe.skip)('two APIs behind a balancer, and two workers', () => {
  let twins: Twins | undefined
  let balancer: Balancer | undefined
  let parties: Parties
  afterAll(async () => {
    await balancer?.stop()
    await twins?.stop()
  }, 60_000)
  const settings = { ...UNDER_LOAD, TRUSTED_PROXIES: '127.0.0.1' }
  const product = useProduct({ env: settings })
  beforeAll(async () => {
    const { dataDir, port } = product
    const second = await freePort()
    twins = await startTwins({
      ...{ ...settings, MODE: 'sandbox', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(second) },
      ...{ DATABASE_URL: await postgresUrl(dataDir), TEMPORAL_ADDRESS: await temporalAddress(dataDir) },
    })
    balancer = await startBalancer(join(dataDir, '..'), [port, second])
    await until(areBothUp, 30)
    parties = await openParties({ ...product, baseUrl: balancer.baseUrl })
  }, 150_000)

  it('lose, double and reorder nothing while each of them is killed in turn, and share the work', async () => {
    const first = { worker: await product.processesOf('worker') }
    const traffic = startTraffic(parties, { name: 'twins' })
    await until(() => traffic.orders.length > 20, 60)
    for (const kill of kills()) {
      await sleep(200 + Math.random() * 800)
      expect(await kill()).toBe(true)
      const before = traffic.orders.length
      await until(() => traffic.orders.length > before + 3, 60) // the other one takes orders meanwhile
      await areBack()
    }
    await traffic.finish()

    expect(traffic.faults).toEqual([])
    expect(await wrongsSeenByClients(parties, traffic.orders)).toEqual([])
    expect(await whatStillMoves(product.dataDir, traffic.orders)).toEqual([])
    expect(await brokenPromises(product.dataDir, traffic.orders)).toEqual([])
    for (const { requests } of (await balancer?.servers()) ?? []) expect(requests).toBeGreaterThan(traffic.orders.length / 4)
    const workers = await workersOf(traffic.orders)
    expect(first.worker.some((pid) => workers.has(pid))).toBe(true)
    expect([...(twins?.pidsOf('worker') ?? [])].some((pid) => workers.has(pid))).toBe(true)
  }, 300_000)

  /** Each alone, then one of both kinds at once. */
  function kills(): (() => Promise<boolean>)[] {
    const killTwin = async (twin: 'api' | 'worker') => twins?.kill(twin) === true
    return [
      () => product.signal('api'),
      () => killTwin('worker'),
      () => killTwin('api'),
      () => product.signal('worker'),
      async () => (await product.signal('api')) && (await killTwin('worker')),
    ]
  }

  async function areBack(): Promise<void> {
    await product.workerBack()
    await until(async () => twins?.isWorking() === true && (await areBothUp()), 60)
  }

  async function areBothUp(): Promise<boolean> {
    const servers = (await balancer?.servers()) ?? []
    return servers.length === 2 && servers.every(({ isUp }) => isUp)
  }

  /** The process ids of the workers that worked on the runs of these orders. */
  async function workersOf(orders: readonly TrackedOrder[]): Promise<Set<number>> {
    const connection = await Connection.connect({ address: await temporalAddress(product.dataDir) })
    const { workflow } = new Client({ connection })
    const pids = new Set<number>()
    for (const { orderId } of orders) {
      const { events } = await workflow.getHandle(runIdOf('order', orderId)).fetchHistory()
      for (const event of events ?? []) {
        const identity = event.workflowTaskCompletedEventAttributes?.identity
        if (identity != null) pids.add(Number.parseInt(identity, 10)) // it begins with the process id
      }
    }
    await connection.close()
    return pids
  }
})

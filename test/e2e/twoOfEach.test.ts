import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { freePort } from '../../src/local/embedded/ports.ts'
import { postgresUrl } from '../../src/local/embedded/postgres.ts'
import { temporalAddress } from '../../src/local/embedded/temporal.ts'
import { runIdOf } from '../../worker/runs.ts'
import { until } from '../support/until.ts'
import { type Balancer, startBalancer, whyNoBalancer } from './balancer.ts'
import { openParties, UNDER_LOAD } from './deaths.ts'
import { WORKER_RUNNING } from './product.ts'
import { type Kind, type SecondProcesses, startSecondProcesses } from './secondProcesses.ts'
import { type Parties, startTraffic, type TrackedOrder } from './traffic.ts'
import { useProduct } from './useProduct.ts'
import { brokenPromises, unfinishedOrders, wrongsSeenByClients } from './verdict.ts'

const whyNot = whyNoBalancer()
if (whyNot !== undefined) process.stderr.write(`twoOfEach.test.ts is left out: ${whyNot}.\n`)

;(whyNot === undefined ? describe : describe.skip)('two APIs behind a balancer, and two workers', () => {
  let seconds: SecondProcesses
  let balancer: Balancer
  let parties: Parties
  let secondUrl: string
  // Registered before the product's, since this has to finish before the product stops.
  afterAll(async () => {
    await balancer?.stop()
    await seconds?.stop()
  }, 60_000)
  const settings = { ...UNDER_LOAD, TRUSTED_PROXIES: '127.0.0.1' }
  const product = useProduct({ env: settings })
  beforeAll(async () => {
    const { dataDir, port } = product
    const second = await freePort()
    secondUrl = `http://127.0.0.1:${second}`
    seconds = await startSecondProcesses({
      ...{ ...settings, MODE: 'sandbox', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: String(second) },
      ...{ DATABASE_URL: await postgresUrl(dataDir), TEMPORAL_ADDRESS: await temporalAddress(dataDir) },
    })
    balancer = await startBalancer(join(dataDir, '..'), [port, second])
    await until(areBothUp, 30)
    parties = await openParties({ ...product, baseUrl: balancer.baseUrl })
  }, 150_000)

  it('lose, double and reorder nothing while each of them is killed in turn, and share the work', async () => {
    const firstWorker = await product.processesOf('worker')
    // The pace is slow enough that a busy machine, on which processes take long to return, still serves all requests.
    const traffic = startTraffic(parties, { name: 'two-of-each', clients: 3, pauseMs: 500 })
    await until(() => traffic.orders.length > 10, 60)
    const { first, second } = parts()
    for (const killed of [[first.api], [second.worker], [second.api], [first.worker], [first.api, second.worker]]) {
      await sleep(200 + Math.random() * 800)
      const areBack = await Promise.all(killed.map(kill))
      const before = traffic.orders.length
      await until(() => traffic.orders.length > before + 3, 60) // the others take orders meanwhile
      for (const isBack of areBack) await until(isBack, 120)
      await until(areBothUp, 30)
    }
    await traffic.finish()

    expect(traffic.faults).toEqual([])
    expect(await wrongsSeenByClients(parties, traffic.orders)).toEqual([])
    expect(await unfinishedOrders(product.dataDir, traffic.orders)).toEqual([])
    expect(await brokenPromises(product.dataDir, traffic.orders)).toEqual([])
    for (const { requests } of await balancer.servers()) expect(requests).toBeGreaterThan(traffic.orders.length / 4)
    const workers = await workersOf(traffic.orders)
    for (const pids of [firstWorker, seconds.pidsOf('worker')]) expect(pids.some((pid) => workers.has(pid))).toBe(true)
  }, 600_000)

  interface Killable {
    pid(): Promise<number | undefined>
    /** Returns whether the current process serves; `since` is the value of `times` when the previous one was killed. */
    serves(since: number): Promise<boolean>
    /** Returns how often the part has reported that it serves, if it does so. */
    times(): number
  }

  function parts(): Record<'first' | 'second', Record<Kind, Killable>> {
    const api = (url: string, pid: Killable['pid']): Killable => ({ pid, times: () => 0, serves: () => isReady(url) })
    const worker = (times: () => number, pid: Killable['pid']): Killable => ({ pid, times, serves: async (since) => times() > since })
    const timesWorking = () => product.said().split(WORKER_RUNNING).length
    return {
      first: {
        api: api(product.baseUrl, async () => (await product.processesOf('api'))[0]),
        worker: worker(timesWorking, async () => (await product.processesOf('worker'))[0]),
      },
      second: {
        api: api(secondUrl, async () => seconds.pidsOf('api').at(-1)),
        worker: worker(seconds.timesWorking, async () => seconds.pidsOf('worker').at(-1)),
      },
    }
  }

  /** Sends SIGKILL. Returns a function that tells whether another process serves in its place. */
  async function kill(part: Killable): Promise<() => Promise<boolean>> {
    const [killed, since] = [await part.pid(), part.times()]
    if (killed === undefined) throw new Error('there is none to kill')
    process.kill(killed, 'SIGKILL')
    return async () => {
      const now = await part.pid()
      return now !== undefined && now !== killed && (await part.serves(since))
    }
  }

  async function isReady(url: string): Promise<boolean> {
    const reply = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    return reply?.status === 200
  }

  async function areBothUp(): Promise<boolean> {
    const servers = await balancer.servers()
    return servers.length === 2 && servers.every(({ isUp }) => isUp)
  }

  /** Returns the process ids of the workers that worked on the runs of these orders. */
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

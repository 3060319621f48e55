import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import type { TestWorkflowEnvironment } from '@temporalio/testing'
import { MARKET } from '../../src/metrics/market.ts'
import { TEMPORAL_REACHABLE } from '../../src/metrics/work.ts'
import { readOpsHealth } from '../../src/store/ops/opsHealth.ts'
import { startHealthReport } from '../../worker/reportHealth.ts'
import { reportMarketMetrics } from '../../worker/reportMarketMetrics.ts'
import { watchTemporal } from '../../worker/watchTemporal.ts'
import { devServer } from '../support/engines/temporal.ts'
import { until } from '../support/until.ts'
import { useMarket } from '../support/useMarket.ts'

const market = useMarket()
let env: TestWorkflowEnvironment
beforeAll(async () => {
  env = await devServer()
}, 120_000)
afterAll(() => env.teardown())

/** In seconds: the time within which a gauge and the health of the marketplace must say what is true. */
const TRUE_WITHIN = 15

const shown = async () => (await TEMPORAL_REACHABLE.get()).values.map(({ value }) => value)
const reported = async () => (await readOpsHealth(market.deps.db)).temporal.reachable

/** Watches and reports as a worker does, at its pace. Collects what is logged. */
function watched(client: Client) {
  const lines: string[] = []
  const log = (message: string) => void lines.push(message)
  const watch = watchTemporal({ client, logger: { info: log, warn: log } })
  const report = startHealthReport({ db: market.deps.db, client, reachable: watch.reachable })
  return { lines, stop: () => Promise.all([watch.stop(), report.stop()]) }
}

/** A server that takes connections and never answers, as one does whose host is frozen. */
async function silentServer() {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = Connection.lazy({ address: `127.0.0.1:${(server.address() as AddressInfo).port}`, interceptors: [] })
  return {
    client: new Client({ connection }),
    close: async () => {
      await connection.close()
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

describe('whether Temporal is reachable', () => {
  it('turns to no within seconds when the namespace is deleted, and is logged with its name', async () => {
    const namespace = env.namespace ?? ''
    const worker = watched(env.client)
    await until(async () => (await shown())[0] === 1 && (await reported()), TRUE_WITHIN)
    await env.connection.operatorService.deleteNamespace({ namespace })
    await until(async () => (await shown())[0] === 0 && !(await reported()), TRUE_WITHIN)
    expect(worker.lines).toEqual([
      `Temporal does not know the namespace ${namespace}; the worker goes on once it is there: "temporal operator namespace create --namespace ${namespace}", or correct TEMPORAL_NAMESPACE`,
    ])
    await worker.stop()
  }, 60_000)

  it('is no within seconds when Temporal hangs, while the figures of the database stay new', async () => {
    const hanging = await silentServer()
    const { db } = market.deps
    const worker = watched(hanging.client)
    const figures = reportMarketMetrics({ db, client: hanging.client, pause: 100 })
    await market.parked()
    await until(async () => (await MARKET.orders.get()).values[0]?.value === 1, 5)
    await market.parked()
    await until(async () => (await MARKET.orders.get()).values[0]?.value === 2, 5)
    await until(() => worker.lines.includes('Temporal does not answer'), TRUE_WITHIN)
    expect([await shown(), await reported()]).toEqual([[0], false])
    await Promise.all([worker.stop(), figures.stop()])
    await hanging.close()
  }, 60_000)
})

import { freePort } from '../../src/embedded/ports.ts'
import { carryOrders } from './carryOrders.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { type FeedFollower, followFeed } from './followFeed.ts'
import { sendLoad } from './load.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, type Paired, type Row, type Sample } from './pairs.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'
import { makeNamespace } from './temporalNamespace.ts'

const CREATES = 3_000
const ORDERS = 240
const AT_ONCE = 32
/** That each carries before it counts: a new worker spends seconds of CPU more on its first orders, whose code is cold. */
const WARM_UP = 240
const GOAL = 1.03

/**
 * P19: what traces cost where every request is recorded, as OpenTelemetry's own defaults have it, and sent to a collector on this machine: CPU of
 * API and worker for a whole order, and of the API for a create. Whole orders: two marketplaces on the same engines, one with traces, by turns.
 * Creates: one API, whose clients say by turns that their requests are recorded and that they are not, since two processes of the same program
 * differ by more than what is measured. What is not recorded has no span to send, but a trace id.
 */
export const tracesCost: Bench = async (engines, run) => {
  const port = await freePort()
  const collector = await startProgram('test/bench/sink', { PORT: String(port) })
  const markets: Market[] = []
  try {
    const plain = await openMarketplace(engines, 'plain', {})
    markets.push(plain)
    const traced = await openMarketplace(engines, 'traced', { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    markets.push(traced)
    for (const { stage, feed } of markets) await carryOrders(stage, feed, { orders: WARM_UP, atOnce: AT_ONCE })
    run.onProgress('P19: whole orders')
    const whole = await comparePairs({ ...run, ours: () => costOfOrders(engines, traced), limit: () => costOfOrders(engines, plain) })
    for (const market of markets) await market.stopWorker() // it would carry what is created while the next are
    run.onProgress('P19: creates')
    const create = await comparePairs({
      ...run,
      ours: () => costOfCreates(engines, traced, RECORDED),
      limit: () => costOfCreates(engines, traced, NOT_RECORDED),
    })
    return [
      rowOf(`CPU of API and worker for whole orders, ${AT_ONCE} at once, every request traced`, TRACES_OFF, whole),
      rowOf(`CPU of the API for POST /orders, ${AT_ONCE} at once, every request traced`, 'itself, none of them recorded', create),
    ]
  } finally {
    for (const market of markets) await market.stop()
    await collector.stop()
  }
}

const TRACES_OFF = 'itself without OTEL_EXPORTER_OTLP_ENDPOINT'
const RECORDED = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
const NOT_RECORDED = RECORDED.replace(/1$/, '0')

function rowOf(work: string, against: string, paired: Paired): Row {
  return { id: 'P19', work, against, unit: 'us an order', goal: `ratio <= ${GOAL}`, met: paired.ratio <= GOAL, ...paired }
}

interface Market {
  readonly stage: Stage
  readonly worker: Program
  readonly feed: FeedFollower
  stopWorker(): Promise<void>
  stop(): Promise<void>
}

/** An API and a worker with a database and a namespace of their own. */
async function openMarketplace(engines: Engines, namespace: string, env: Readonly<Record<string, string>>): Promise<Market> {
  const { address } = await engines.temporal()
  await makeNamespace(address, namespace)
  const stage = await openStage(engines, env)
  const place = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, PORT: '' }
  const worker = await startProgram('worker/main', { ...place, ...env })
  const feed = await followFeed(stage)
  const stopWorker = async () => {
    await feed.stop()
    await worker.stop()
  }
  return {
    ...{ stage, worker, feed, stopWorker },
    async stop() {
      await stopWorker()
      await stage.close()
    },
  }
}

async function costOfOrders(engines: Engines, { stage, worker, feed }: Market): Promise<Sample> {
  const cpu = { api: stage.api.pid, worker: worker.pid, temporal: (await engines.temporal()).pid, postgres: engines.postgres.pid }
  const counters = await counted({ pool: stage.pool, cpu }, ORDERS, () => carryOrders(stage, feed, { orders: ORDERS, atOnce: AT_ONCE }))
  return { value: (counters.cpu_us_api ?? Number.NaN) + (counters.cpu_us_worker ?? Number.NaN), counters }
}

async function costOfCreates({ postgres }: Engines, { stage }: Market, traceparent: string): Promise<Sample> {
  const load = { method: 'POST' as const, path: '/v1/orders', body: stage.nextOrder, token: stage.tokens.buyer, status: 201 }
  const counters = await counted({ pool: stage.pool, cpu: { server: stage.api.pid, postgres: postgres.pid } }, CREATES, async () => {
    await sendLoad({ ...load, baseUrl: stage.baseUrl, traceparent, requests: CREATES, atOnce: AT_ONCE })
  })
  return { value: counters.cpu_us_server ?? Number.NaN, counters }
}

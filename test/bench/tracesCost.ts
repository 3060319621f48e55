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
const GOAL_RECORDED = 1.1

/**
 * P19: what traces cost, sent to a collector on this machine, by CPU of API and worker for a whole order and of the API for a create: with the standard
 * settings (TRACES_PER_ENDPOINT), and with every trace recorded, as OpenTelemetry's own defaults have it. Two marketplaces on the same engines, one
 * with traces, by turns. Creates whose traces are all recorded are compared within one API, whose clients say by turns that they record them and that
 * they do not, since two processes of the same program differ by more than what is measured; what is not recorded has no span to send, but a trace id.
 */
export const tracesCost: Bench = async (engines, run) => {
  const port = await freePort()
  const collector = await startProgram('test/bench/sink', { PORT: String(port) })
  const sending = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const open: Market[] = []
  const opened = async (namespace: string, env: Readonly<Record<string, string>>) => {
    const market = await openMarketplace(engines, namespace, env)
    open.push(market)
    await carryOrders(market.stage, market.feed, { orders: WARM_UP, atOnce: AT_ONCE })
    return market
  }
  try {
    const plain = await opened('plain', {})
    const bounded = await opened('bounded', sending)
    run.onProgress('P19: whole orders, standard settings')
    const whole = await comparePairs({ ...run, ours: () => costOfOrders(engines, bounded), limit: () => costOfOrders(engines, plain) })
    await bounded.stopWorker()
    const recording = await opened('recording', { ...sending, OTEL_TRACES_SAMPLER: 'parentbased_always_on' })
    run.onProgress('P19: whole orders, every trace recorded')
    const wholeRecorded = await comparePairs({
      ...run,
      ours: () => costOfOrders(engines, recording),
      limit: () => costOfOrders(engines, plain),
    })
    for (const market of [plain, recording]) await market.stopWorker() // it would carry what is created while the next are
    run.onProgress('P19: creates')
    const create = await comparePairs({ ...run, ours: () => costOfCreates(engines, bounded), limit: () => costOfCreates(engines, plain) })
    const createRecorded = await comparePairs({
      ...run,
      ours: () => costOfCreates(engines, recording, RECORDED),
      limit: () => costOfCreates(engines, recording, NOT_RECORDED),
    })
    return [
      rowOf(`${WHOLE}, with traces`, { against: TRACES_OFF, most: GOAL }, whole),
      rowOf(`${CREATE}, with traces`, { against: TRACES_OFF, most: GOAL }, create),
      rowOf(`${WHOLE}, every trace recorded`, { against: TRACES_OFF, most: GOAL_RECORDED }, wholeRecorded),
      rowOf(`${CREATE}, every trace recorded`, { against: 'itself, none of them recorded', most: GOAL_RECORDED }, createRecorded),
    ]
  } finally {
    for (const market of open) await market.stop()
    await collector.stop()
  }
}

const WHOLE = `CPU of API and worker for whole orders, ${AT_ONCE} at once`
const CREATE = `CPU of the API for POST /orders, ${AT_ONCE} at once`
const TRACES_OFF = 'itself without OTEL_EXPORTER_OTLP_ENDPOINT'
const RECORDED = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`
const NOT_RECORDED = RECORDED.replace(/1$/, '0')

function rowOf(work: string, { against, most }: { against: string; most: number }, paired: Paired): Row {
  return { id: 'P19', work, against, unit: 'us an order', goal: `ratio <= ${most}`, met: paired.ratio <= most, ...paired }
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

async function costOfCreates({ postgres }: Engines, { stage }: Market, traceparent?: string): Promise<Sample> {
  const load = { method: 'POST' as const, path: '/v1/orders', body: stage.nextOrder, token: stage.tokens.buyer, status: 201 }
  const counters = await counted({ pool: stage.pool, cpu: { server: stage.api.pid, postgres: postgres.pid } }, CREATES, async () => {
    await sendLoad({ ...load, baseUrl: stage.baseUrl, ...(traceparent && { traceparent }), requests: CREATES, atOnce: AT_ONCE })
  })
  return { value: counters.cpu_us_server ?? Number.NaN, counters }
}

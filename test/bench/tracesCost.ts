import { freePort } from '../../src/local/embedded/ports.ts'
import { carryOrders } from './carryOrders.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { type FeedFollower, followFeed } from './followFeed.ts'
import { sendLoad } from './load.ts'
import type { Bench, Run } from './orderIntake.ts'
import { comparePairs, type Paired, type Row, type Sample } from './pairs.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'
import { makeNamespace } from './temporalNamespace.ts'

// Runs are short and there are three times as many pairs, because a machine drifts by more within a minute than traces cost.
const CREATES = 1_500
const ORDERS = 120
const PAIRS_FACTOR = 3
const BATCH = 32
/** That each carries before it counts: a new worker spends seconds of CPU more on its first orders, whose code is cold. */
const WARM_UP = 240
const GOAL = 1.03

/**
 * P19: what traces cost, sent to a collector on this machine, by CPU of API and worker for a whole order and of the API for a create: with the standard
 * settings (TRACES_PER_ENDPOINT), and with every trace recorded, as OpenTelemetry's own defaults have it. Each is compared within one marketplace, whose
 * clients say by turns that they record their requests and that they do not, since two processes of the same program differ by more than what is
 * measured. What is not recorded costs an id in any case: a microsecond in a loop of its own.
 */
export const tracesCost: Bench = async (engines, run) => {
  const port = await freePort()
  const collector = await startProgram('test/bench/sink', { PORT: String(port) })
  const sending = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }
  const rows: Row[] = []
  const measure = async (what: string, env: Readonly<Record<string, string>>) => {
    const market = await openMarketplace(engines, `traces${rows.length}`, env)
    try {
      await carryOrders(market.stage, market.feed, { orders: WARM_UP, atOnce: BATCH })
      run.onProgress(`P19: whole orders, ${what}`)
      const whole = await byTurns(run, (headers) => costOfOrders(engines, market, headers))
      await market.stopWorker() // it would carry what is created while the next are
      run.onProgress(`P19: creates, ${what}`)
      const create = await byTurns(run, (headers) => costOfCreates(engines, market, headers))
      rows.push(
        rowOf(`CPU of API and worker for whole orders, ${BATCH} at once, ${what}`, whole),
        rowOf(`CPU of the API for POST /orders, ${BATCH} at once, ${what}`, create),
      )
    } finally {
      await market.stop()
    }
  }
  try {
    await measure('with traces', sending)
    await measure('every trace recorded', { ...sending, OTEL_TRACES_SAMPLER: 'parentbased_always_on' })
    return rows
  } finally {
    await collector.stop()
  }
}

/** The headers of a client that records its requests, or does not. */
interface TraceHeaders extends Readonly<Record<string, string>> {
  readonly traceparent: string
}

function byTurns(run: Run, cost: (headers: TraceHeaders) => Promise<Sample>): Promise<Paired> {
  const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}`
  return comparePairs({
    ...run,
    pairs: PAIRS_FACTOR * run.pairs,
    ours: () => cost({ traceparent: `${traceparent}-01` }),
    limit: () => cost({ traceparent: `${traceparent}-00` }),
  })
}

function rowOf(work: string, paired: Paired): Row {
  const against = 'itself, whose clients record none of them'
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

async function costOfOrders(engines: Engines, { stage, worker, feed }: Market, headers: TraceHeaders): Promise<Sample> {
  const cpu = { api: stage.api.pid, worker: worker.pid, temporal: (await engines.temporal()).pid, postgres: engines.postgres.pid }
  const counters = await counted({ pool: stage.pool, cpu }, ORDERS, () =>
    carryOrders(stage, feed, { orders: ORDERS, atOnce: BATCH, headers }),
  )
  return { value: (counters.cpu_us_api ?? Number.NaN) + (counters.cpu_us_worker ?? Number.NaN), counters }
}

async function costOfCreates({ postgres }: Engines, { stage }: Market, { traceparent }: TraceHeaders): Promise<Sample> {
  const load = { method: 'POST' as const, path: '/v1/orders', body: stage.nextOrder, token: stage.tokens.buyer, status: 201 }
  const counters = await counted({ pool: stage.pool, cpu: { server: stage.api.pid, postgres: postgres.pid } }, CREATES, async () => {
    await sendLoad({ ...load, baseUrl: stage.baseUrl, traceparent, requests: CREATES, atOnce: BATCH })
  })
  return { value: counters.cpu_us_server ?? Number.NaN, counters }
}

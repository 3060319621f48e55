import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/local/embedded/ports.ts'
import { place } from '../e2e/market.ts'
import { counted } from './counters.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, median, type Sample } from './pairs.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const ENDPOINTS = 10
/** Each to ten endpoints, of which each takes four at once. */
const EVENTS = 500
const FIRSTS = 40
const COLD_FIRSTS = 5
/** Milliseconds after which an endpoint that got nothing has no run any more. */
const RUN_ENDED_MS = 6_500

/** P11: events on their way to ten endpoints, signed, each attempt written down; and how soon the first arrives. */
export const webhooks: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const sink = await startProgram('test/bench/sink', { PORT: String(port) })
  const bare = await startProgram('test/bench/barePosts', {})
  const engine = await startProgram('test/bench/bareWorker', { TEMPORAL_ADDRESS: address })
  const worker = await startProgram('worker/main', {
    DATABASE_URL: stage.databaseUrl,
    TEMPORAL_ADDRESS: address,
    PORT: '',
    ALLOW_LOOPBACK_TARGETS: 'true',
  })
  try {
    for (let orders = 0; orders < EVENTS; orders += 1) await place(stage.buyer, stage.nextOrder())
    const body = await bodyOf(stage)
    const endpoints: string[] = []
    while (endpoints.length < ENDPOINTS) endpoints.push(await register(stage, `${origin}/${endpoints.length}`))
    await drained(stage)
    const posts = ENDPOINTS * EVENTS
    const cpu = { worker: worker.pid, postgres: engines.postgres.pid }
    const measured = async (work: () => Promise<number>, processes: Record<string, number>) => {
      let value = 0
      const counters = await counted({ pool: stage.pool, cpu: processes }, posts, async () => {
        value = await work()
      })
      return { value, counters }
    }
    run.onProgress('P11: deliveries')
    const paired = await comparePairs({
      ...run,
      ours: () => measured(() => deliverAll(stage, endpoints), cpu),
      limit: () =>
        measured(async () => (await bare.ask<{ perSecond: number }>({ origin, body, posts, atOnce: 4 * ENDPOINTS })).perSecond, {
          bare: bare.pid,
        }),
    })
    const arrivals = (orders: number, restMs: number) =>
      comparePairs({
        ...run,
        ours: async () => timed(await firstArrivals(stage, sink, { orders, restMs })),
        limit: async () => timed((await engine.ask<{ times: number[] }>({ first: FIRSTS })).times),
      })
    run.onProgress('P11b: to the first arrival at an endpoint whose run waits for more')
    const warm = await arrivals(FIRSTS, 100)
    run.onProgress('P11a: to the first arrival at an endpoint without a run')
    for (const endpoint_id of endpoints.slice(1)) await stage.buyer.deleteWebhookEndpoint({ path: { endpoint_id } })
    const cold = await arrivals(COLD_FIRSTS, RUN_ENDED_MS)
    return [
      {
        id: 'P11',
        work: `${EVENTS} events to ${ENDPOINTS} endpoints each, signed, attempts written down`,
        against: 'bare undici posts of the same bytes, as many at once',
        unit: 'posts/s',
        goal: 'ratio >= 0.40',
        met: paired.ratio >= 0.4,
        ...paired,
      },
      {
        id: 'P11a',
        work: "create's answer to its first event at the one endpoint that it goes to, which has no run",
        against: 'engine: eager start and first task',
        unit: 'ms, p50',
        goal: '<= 40 ms',
        met: cold.ours <= 40,
        ...cold,
      },
      {
        id: 'P11b',
        work: `create's answer to its first event at one of ${ENDPOINTS} endpoints, whose runs wait for more`,
        against: 'engine: eager start and first task',
        unit: 'ms, p50',
        goal: '<= 15 ms',
        met: warm.ours <= 15,
        ...warm,
      },
    ]
  } finally {
    for (const program of [worker, engine, bare, sink]) await program.stop()
    await stage.close()
  }
}

async function register(stage: Stage, url: string): Promise<string> {
  const body = { url, statuses: ['submitted' as const], events: ['order.status_changed' as const] }
  return (await stage.buyer.createWebhookEndpoint({ body })).body.endpoint_id
}

async function bodyOf({ pool }: Stage): Promise<string> {
  const { rows } = await pool.query<{ body: string }>('select body from order_events where seq = 1 limit 1')
  return rows[0]?.body ?? ''
}

/** Queues the first event of every order to every endpoint, and times from their wake to the last record. */
async function deliverAll({ pool }: Stage, endpoints: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query(
    `insert into deliveries (endpoint_id, event_type, order_id, seq)
     select endpoint_id, 'order.status_changed', order_id, 1 from unnest($1::text[]) as endpoint_id,
       (select order_id from orders order by order_id limit ${EVENTS}) as o order by order_id`,
    [endpoints],
  )
  const began = performance.now()
  await pool.query(`insert into outbox (kind, target) select 'endpoint', unnest($1::text[])`, [endpoints])
  await pool.query(`select pg_notify('outbox', '')`)
  await drained({ pool })
  const seconds = (performance.now() - began) / 1_000
  const { rows } = await pool.query(`select from deliveries where status = 'dropped' limit 1`)
  if (rows.length > 0) throw new Error('a delivery was dropped')
  return (rowCount ?? 0) / seconds
}

async function drained({ pool }: Pick<Stage, 'pool'>): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ waits: boolean }>(
      `select exists (select from deliveries where status = 'pending') or exists (select from outbox) as waits`,
    )
    if (rows[0]?.waits === false) return
    await sleep(10)
  }
}

/** Milliseconds from a create's answer, which follows its commit at once, to its first event's arrival; one at a time, each after a rest. */
async function firstArrivals(stage: Stage, sink: Program, { orders, restMs }: { orders: number; restMs: number }): Promise<number[]> {
  const times: number[] = []
  await sink.ask({ forget: true })
  for (let order = 0; order < orders; order += 1) {
    const { order_id } = await place(stage.buyer, stage.nextOrder())
    const answered = performance.timeOrigin + performance.now()
    for (;;) {
      const { at } = await sink.ask<{ at: number | null }>({ arrival: `${order_id}:1` })
      if (at !== null) {
        times.push(at - answered)
        break
      }
      await sleep(2)
    }
    await drained(stage)
    await sleep(restMs)
  }
  return times
}

function timed(times: number[]): Sample {
  const sorted = [...times].sort((a, b) => a - b)
  return { value: median(times), counters: { p99_ms: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN } }
}

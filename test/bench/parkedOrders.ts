import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { QUEUES } from '../../workflows/messages.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { sendLoad } from './load.ts'
import type { Bench, Run } from './orderIntake.ts'
import type { Counters, Row } from './pairs.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'
import { untilQueueIsEmpty } from './temporalNamespace.ts'

const FEW = 1_000
const IDLE_S = 60
/** Orders that are created before the worker is waited for. */
const BATCH = 1_000
/** Of the parked orders one in so many is decided while no worker runs. */
const WOKEN_EACH = 10

interface Idle {
  /** In MiB. */
  readonly worker: number
  readonly api: number
  /** CPU in microseconds a second of every part. */
  readonly cpu: Counters
}

/** P12: parked orders, each with an open run: what they take of memory and CPU while nothing happens, and how soon many move at once. */
export const parkedOrders: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  const start = () => startProgram('worker/main', { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, PORT: '' })
  let worker = await start()
  try {
    await park(stage, run, FEW)
    const few = await idle(engines, stage, worker, run)
    const { parked } = run.sizes
    await park(stage, run, parked)
    const many = await idle(engines, stage, worker, run)
    const woken = Math.floor(parked / WOKEN_EACH)
    run.onProgress(`P12: ${woken} orders are decided while no worker runs`)
    await worker.stop()
    const ids = await decide(stage, woken)
    worker = await start()
    const seconds = await untilSettled(stage, ids)
    const peak = await memoryOf(worker, 'VmHWM')
    return [...idleRows(parked, few, many), wokenRow(parked, woken, { seconds, peak })]
  } finally {
    await worker.stop()
    await stage.close()
  }
}

/** Creates orders, and waits until they and those before are parked, each with its run, which starts after its order is in review: so many in all. */
async function park({ pool, baseUrl, tokens, nextOrder }: Stage, { onProgress }: Run, wanted: number): Promise<void> {
  const load = { baseUrl, token: tokens.buyer, method: 'POST' as const, path: '/v1/orders', body: nextOrder, atOnce: 32, status: 201 }
  for (;;) {
    const { rows } = await pool.query<{ parked: number; moving: number; unstarted: number }>(
      `select count(*) filter (where status = 'seller_review')::int as parked, count(*) filter (where status <> 'seller_review')::int as moving,
         (select count(*)::int from outbox) as unstarted from orders where not closed`,
    )
    const [{ parked, moving, unstarted } = { parked: 0, moving: 0, unstarted: 0 }] = rows
    if (parked >= wanted && moving === 0 && unstarted === 0) return
    // A backlog of more than a batch would measure the relay's queue, and not parked orders.
    if (unstarted > BATCH || parked + moving >= wanted) {
      await sleep(100)
      continue
    }
    await sendLoad({ ...load, requests: Math.min(BATCH, wanted - parked - moving) })
    onProgress(`P12: ${parked} of ${wanted} orders are parked`)
  }
}

/** A minute in which nobody asks for anything. */
async function idle(engines: Engines, { pool, api }: Stage, worker: Program, { onProgress }: Run): Promise<Idle> {
  await untilQueueIsEmpty((await engines.temporal()).address, QUEUES.orders)
  await sleep(5_000) // until caches have written what they keep
  onProgress(`P12: ${IDLE_S} s at rest`)
  const cpu = { api: api.pid, worker: worker.pid, temporal: (await engines.temporal()).pid, postgres: engines.postgres.pid }
  const counters = await counted({ pool, cpu }, IDLE_S, () => sleep(IDLE_S * 1_000))
  return { worker: await memoryOf(worker, 'VmRSS'), api: await memoryOf(api, 'VmRSS'), cpu: counters }
}

async function memoryOf({ pid }: Program, what: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`${what}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1_024
}

async function decide({ pool, baseUrl, tokens }: Stage, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ order_id: string }>(
    `select order_id from orders where status = 'seller_review' order by order_id limit ${count}`,
  )
  const ids = rows.map(({ order_id }) => order_id)
  const body = JSON.stringify({ decision: 'approve', actor: 'traffic desk' })
  const path = (index: number) => `/v1/me/orders/${ids[index]}/decide`
  const requests = ids.length
  await sendLoad({ baseUrl, token: tokens.seller, method: 'POST', path, body: () => body, requests, atOnce: 32, status: 202 })
  return ids
}

async function untilSettled({ pool }: Stage, ids: readonly string[]): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { rows } = await pool.query('select from orders where order_id = any($1) and not closed limit 1', [ids])
    if (rows.length === 0) return (performance.now() - began) / 1_000
    await sleep(250) // each look is at thousands of rows
  }
}

function idleRows(parked: number, few: Idle, many: Idle): Row[] {
  const against = `itself with ${FEW} parked`
  const row = (what: string, unit: string, goal: string, ours: number, limit: number, met: boolean): Row => ({
    ...{ id: 'P12', work: `${parked} parked orders: ${what}`, against, unit, goal, met, ours, limit, ratio: ours / limit },
    ...{ spread: null, pairs: 1, counters: { ours: many.cpu, limit: few.cpu } },
  })
  const cpuOf = ({ cpu_us_api = 0, cpu_us_worker = 0 }: Counters) => (cpu_us_api + cpu_us_worker) / 1_000
  const [cpu, before] = [cpuOf(many.cpu), cpuOf(few.cpu)]
  const isSmall = many.worker <= 1.1 * few.worker && many.worker <= 300
  return [
    row('memory of the worker', 'MiB', 'ratio <= 1.10, <= 300 MiB', many.worker, few.worker, isSmall),
    row('memory of the API', 'MiB', 'ratio <= 1.10', many.api, few.api, many.api <= 1.1 * few.api),
    row('CPU of API and worker at rest', 'ms/s', 'ratio <= 1.10, or within 2 ms/s', cpu, before, cpu <= Math.max(1.1 * before, before + 2)),
  ]
}

function wokenRow(parked: number, woken: number, { seconds, peak }: { seconds: number; peak: number }): Row {
  const work = `${woken} of ${parked} parked orders decided while no worker runs: from its start to the last one closed`
  const counters = { ours: { orders_per_second: woken / seconds, worker_peak_mib: peak }, limit: {} }
  const shared = { against: 'none', limit: null, ratio: null, spread: null, pairs: 1 }
  return { id: 'P12', work, ...shared, unit: 's', ours: seconds, goal: 'all of them; worker at most 300 MiB', met: peak <= 300, counters }
}

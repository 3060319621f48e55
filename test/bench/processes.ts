import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type Operations, openOwnClient } from '../../src/sdk/ownClient.ts'
import { carryOrders } from './carryOrders.ts'
import { counted, cpuMicroseconds } from './counters.ts'
import type { Engines } from './engines.ts'
import { type FeedFollower, followFeed } from './followFeed.ts'
import type { Bench } from './orderIntake.ts'
import { type Counters, median, type Row, type Sample } from './pairs.ts'
import { watchOthers } from './peers/others.ts'
import { type Program, startProgram } from './program.ts'
import { type Model, simulate } from './simulation.ts'
import { openStage, type Stage } from './stage.ts'

const PROCESSES = [1, 2, 4]
const ORDERS = 240
const BATCH = 64
/** That each process carries before it counts: a new worker spends some two seconds of CPU more on its first orders, whose code is cold. */
const WARM_UP = 240
/** Carried one after the other, for what an order waits beside its CPU. */
const ALONE = 40
const ROUNDS = 3
const RESTS_S = 10

/**
 * P18: whole orders with one, two and four processes of API and worker, against what the simulation says of as many. The cores are those that other
 * programs leave; each further API and worker takes of them what one of each takes at rest.
 */
export const processes: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const feed = await followFeed(stage)
  const samples = new Map<number, Sample[]>(PROCESSES.map((count) => [count, []]))
  let alone: Alone | undefined
  try {
    for (let round = 0; round < Math.min(run.pairs, ROUNDS); round += 1)
      for (const count of round % 2 === 0 ? PROCESSES : PROCESSES.toReversed()) {
        const group = await startGroup(engines, stage, count)
        try {
          await carry(stage, feed, group, { orders: WARM_UP * count, atOnce: BATCH })
          if (count === 1) alone ??= await readAlone(engines, stage, feed, group)
          samples.get(count)?.push(await measure(engines, stage, feed, group))
        } finally {
          await group.stop()
        }
        run.onProgress(`P18: ${count} of each, ${samples.get(count)?.at(-1)?.value.toFixed(1)} orders/s`)
      }
  } finally {
    await feed.stop()
    await stage.close()
  }
  return rowsOf(samples, alone ?? { waitMs: Number.NaN, restMs: Number.NaN })
}

/** Of one API and one worker. */
interface Alone {
  /** That an order by itself takes beside its CPU. */
  readonly waitMs: number
  /** CPU a second that both take while nothing is to be done. */
  readonly restMs: number
}

interface Group {
  readonly clients: readonly { buyer: Operations; seller: Operations }[]
  readonly cpu: (name: 'api' | 'worker') => Record<string, number>
  stop(): Promise<void>
}

/** So many of each, the stage's own API among them. */
async function startGroup(engines: Engines, { databaseUrl, baseUrl, tokens, api }: Stage, count: number): Promise<Group> {
  const apis = [{ program: api, url: baseUrl }]
  const workers: Program[] = []
  const { address } = await engines.temporal()
  while (apis.length < count) {
    const port = await freePort()
    const env = { DATABASE_URL: databaseUrl, PORT: String(port), MODE: 'sandbox', RATE_LIMITS: 'off' }
    apis.push({ program: await startProgram('api/main', env), url: `http://127.0.0.1:${port}` })
  }
  while (workers.length < count)
    workers.push(await startProgram('worker/main', { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: address, PORT: '' }))
  const open = (url: string, token: string) => openOwnClient({ baseUrl: url, token, retry: { attempts: 1 } })
  const all = { api: apis.map(({ program }) => program), worker: workers }
  return {
    clients: apis.map(({ url }) => ({ buyer: open(url, tokens.buyer), seller: open(url, tokens.seller) })),
    cpu: (name) => Object.fromEntries(all[name].map(({ pid }, index) => [`${name}_${index}`, pid])),
    async stop() {
      for (const program of [...workers, ...all.api.slice(1)]) await program.stop()
    },
  }
}

/** Each API has its share of the orders. */
async function carry(
  stage: Stage,
  feed: FeedFollower,
  { clients }: Group,
  { orders, atOnce }: { orders: number; atOnce: number },
): Promise<void> {
  const share = { orders: Math.ceil(orders / clients.length), atOnce: Math.ceil(atOnce / clients.length) }
  await Promise.all(clients.map((client) => carryOrders({ ...stage, ...client }, feed, share)))
}

async function measure(
  engines: Engines,
  stage: Stage,
  feed: FeedFollower,
  group: Group,
  run = { orders: ORDERS, atOnce: BATCH },
): Promise<Sample> {
  const cpu = { ...group.cpu('api'), ...group.cpu('worker'), temporal: (await engines.temporal()).pid, postgres: engines.postgres.pid }
  let seconds = Number.NaN
  const othersSoFar = await watchOthers(Object.values(cpu))
  const load = process.cpuUsage()
  const counters = await counted({ pool: stage.pool, cpu }, run.orders, async () => {
    const began = performance.now()
    await carry(stage, feed, group, run)
    seconds = (performance.now() - began) / 1_000
  })
  const { user, system } = process.cpuUsage(load)
  const others = await othersSoFar()
  return { value: run.orders / seconds, counters: { ...summed(counters), cpu_us_load: (user + system) / run.orders, others } }
}

async function readAlone(engines: Engines, stage: Stage, feed: FeedFollower, group: Group): Promise<Alone> {
  const { value, counters } = await measure(engines, stage, feed, group, { orders: ALONE, atOnce: 1 })
  const cpuUs = PARTS.reduce((total, name) => total + (counters[`cpu_us_${name}`] ?? 0), 0)
  const resting = Object.values({ ...group.cpu('api'), ...group.cpu('worker') })
  const spent = async () => (await Promise.all(resting.map(cpuMicroseconds))).reduce((total, us) => total + us, 0)
  const before = await spent()
  await sleep(RESTS_S * 1_000)
  return { waitMs: Math.max(0, 1_000 / value - cpuUs / 1_000), restMs: ((await spent()) - before) / 1_000 / RESTS_S }
}

/** The processes of one name as one counter. */
function summed(counters: Counters): Counters {
  const sums: Record<string, number> = {}
  for (const [name, value] of Object.entries(counters)) {
    const shared = name.replace(/_\d+$/, '')
    sums[shared] = (sums[shared] ?? 0) + value
  }
  return sums
}

const PARTS = ['api', 'worker', 'temporal', 'postgres', 'load'] as const

/** The model is calibrated by the runs with one of each; of the others it knows what other programs used meanwhile. */
function rowsOf(samples: ReadonlyMap<number, readonly Sample[]>, alone: Alone): Row[] {
  const one = samples.get(1) ?? []
  const cpuMs = Object.fromEntries(
    PARTS.map((name) => [name, median(one.map(({ counters }) => counters[`cpu_us_${name}`] ?? Number.NaN)) / 1_000]),
  ) as CpuMs
  return PROCESSES.map((count) => {
    const of = samples.get(count) ?? []
    const predictions = of.map(({ counters }) => {
      const model = modelOf(count, cpuMs, alone, counters.others ?? 0)
      return simulate(model, { orders: 20 * ORDERS, atOnce: BATCH }).perSecond
    })
    const ratios = of.map(({ value }, place) => value / (predictions[place] ?? Number.NaN))
    const names = Object.keys(of[0]?.counters ?? {})
    const ours = Object.fromEntries(names.map((name) => [name, median(of.map(({ counters }) => counters[name] ?? Number.NaN))]))
    const ratio = median(ratios)
    return {
      id: 'P18',
      work: `whole orders with ${count} API and ${count} worker processes, engines and load on the same ${availableParallelism()} cores, ${BATCH} at once`,
      against: 'the simulation, calibrated by one of each',
      ...{ unit: 'orders/s', ours: median(of.map(({ value }) => value)), limit: median(predictions), ratio, pairs: of.length },
      spread: { lowest: Math.min(...ratios), highest: Math.max(...ratios) },
      ...{ goal: 'ratio 0.80 to 1.25', met: ratio >= 0.8 && ratio <= 1.25 },
      counters: { ours, limit: { wait_ms: alone.waitMs, rest_ms: alone.restMs } },
    }
  })
}

type CpuMs = Record<(typeof PARTS)[number], number>

/** So many of each, where other programs use this share of the machine. */
function modelOf(count: number, cpuMs: CpuMs, { waitMs, restMs }: Alone, others: number): Model {
  const cores = availableParallelism()
  const left = cores * (1 - others) - ((count - 1) * restMs) / 1_000
  return {
    cores: left,
    waitMs,
    parts: {
      api: { cpuMs: cpuMs.api, threads: count },
      // The loop and the thread of the workflows.
      worker: { cpuMs: cpuMs.worker, threads: 2 * count },
      temporal: { cpuMs: cpuMs.temporal, threads: cores },
      postgres: { cpuMs: cpuMs.postgres, threads: cores },
      // This process, with the clients and the feed of the seller.
      load: { cpuMs: cpuMs.load, threads: 1 },
    },
  }
}

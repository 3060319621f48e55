import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import type { EventFeed } from '../../src/contract/event.ts'
import { place } from '../e2e/market.ts'
import { carryOrders } from './carryOrders.ts'
import { counted } from './counters.ts'
import type { Engines } from './engines.ts'
import { type FeedFollower, followFeed } from './followFeed.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, median, type Row, type Sample } from './pairs.ts'
import { type Program, startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const ORDERS = 240
const BATCH = 32
const FIRSTS = 60

/** P4, P5 and P6: the API, the worker and the engine together, against the engine with a workflow that does nothing. */
export const wholeOrders: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const { address, pid: temporalPid } = await engines.temporal()
  const worker = await startProgram('worker/main', { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, PORT: '' })
  const bare = await startProgram('test/bench/bareWorker', { TEMPORAL_ADDRESS: address })
  try {
    const cpu = { api: stage.api.pid, worker: worker.pid, temporal: temporalPid, postgres: engines.postgres.pid }
    const wholly = (work: () => Promise<number>, count: number) => sampled(stage, cpu, count, work)
    run.onProgress('P5: whole orders')
    const feed = await followFeed(stage)
    const whole = await comparePairs({
      ...run,
      ours: () => wholly(() => ordersPerSecond(stage, feed), ORDERS),
      limit: () => sampled(stage, { worker: bare.pid, temporal: temporalPid }, ORDERS, () => bareWhole(bare)),
    }).finally(() => feed.stop())
    const history = await historyOf(engines, await someOrders(stage))
    run.onProgress('P4: create to seller_review')
    const first = await comparePairs({
      ...run,
      ours: () => wholly(() => firstReviews(stage), FIRSTS),
      limit: () => sampled(stage, { worker: bare.pid, temporal: temporalPid }, FIRSTS, () => bareFirst(bare)),
    })
    return [firstRow(first), wholeRow(whole), historyRow(history)]
  } finally {
    await bare.stop()
    await worker.stop()
    await stage.close()
  }
}

function firstRow(paired: Omit<Row, 'id' | 'work' | 'against' | 'unit' | 'goal' | 'met'> & { limit: number }): Row {
  const allowed = 2.6 * paired.limit + 8
  const goal = `<= 2.6 x + 8 ms (${allowed.toFixed(1)} ms here)`
  const work = 'create to seller_review readable in the feed, one at a time'
  return { id: 'P4', work, against: 'engine: eager start and first task', unit: 'ms, p50', goal, met: paired.ours <= allowed, ...paired }
}

function wholeRow(paired: Omit<Row, 'id' | 'work' | 'against' | 'unit' | 'goal' | 'met'> & { ratio: number }): Row {
  const work = `whole orders, create to placed and settled, ${BATCH} at once`
  const against = 'bare workflow: start, signal, complete'
  return { id: 'P5', work, against, unit: 'orders/s', goal: 'ratio >= 0.45', met: paired.ratio >= 0.45, ...paired }
}

function historyRow({ events, bytes, activities }: History): Row {
  const shared = { against: 'none', unit: 'events', limit: null, ratio: null, spread: null, pairs: 0 }
  const counters = { ours: { history_events: events, history_bytes: bytes, normal_activities: activities }, limit: {} }
  const met = events <= 16 && activities === 0
  return {
    id: 'P6',
    work: 'history of an order, create to placed',
    ...shared,
    ours: events,
    goal: '<= 16, no normal activity',
    met,
    counters,
  }
}

async function sampled(stage: Stage, cpu: Record<string, number>, count: number, work: () => Promise<number>): Promise<Sample> {
  let value = 0
  const counters = await counted({ pool: stage.pool, cpu }, count, async () => {
    value = await work()
  })
  return { value, counters }
}

async function bareWhole(bare: Program): Promise<number> {
  return (await bare.ask<{ perSecond: number }>({ whole: ORDERS, atOnce: BATCH })).perSecond
}

async function bareFirst(bare: Program): Promise<number> {
  return median((await bare.ask<{ times: number[] }>({ first: FIRSTS })).times)
}

/** Whole orders per second. */
async function ordersPerSecond(stage: Stage, feed: FeedFollower): Promise<number> {
  const began = performance.now()
  await carryOrders(stage, feed, { orders: ORDERS, atOnce: BATCH })
  return ORDERS / ((performance.now() - began) / 1_000)
}

/** From the request to the moment in which the seller's feed shows the order as seller_review; the feed is asked every other millisecond. */
async function firstReviews(stage: Stage): Promise<number> {
  const times: number[] = []
  let after = await endOfFeed(stage)
  for (let index = 0; index < FIRSTS; index += 1) {
    const body = stage.nextOrder()
    const began = performance.now()
    const { order_id } = await place(stage.buyer, body)
    for (let seen = false; !seen; ) {
      await sleep(1) // asking without a pause would take the cores from those who are asked about
      const page = await readFeed(stage, after)
      after = page.next_cursor
      seen = page.events.some(
        (event) => event.event_type === 'order.status_changed' && event.order_id === order_id && event.status === 'seller_review',
      )
    }
    times.push(performance.now() - began)
  }
  return median(times)
}

async function readFeed({ seller }: Stage, after: string | undefined): Promise<EventFeed> {
  return (await seller.readFeed({ query: { limit: 500, ...(after === undefined ? {} : { after }) } })).body
}

async function endOfFeed(stage: Stage): Promise<string> {
  for (let page = await readFeed(stage, undefined); ; page = await readFeed(stage, page.next_cursor))
    if (page.events.length === 0) return page.next_cursor
}

async function someOrders({ pool }: Stage): Promise<string[]> {
  const { rows } = await pool.query<{ order_id: string }>(
    "select order_id from orders where status = 'placed' order by order_id desc limit 30",
  )
  return rows.map(({ order_id }) => order_id)
}

interface History {
  events: number
  /** As the engine counts them. */
  bytes: number
  activities: number
}

async function historyOf(engines: Engines, orderIds: readonly string[]): Promise<History> {
  const connection = await Connection.connect({ address: (await engines.temporal()).address })
  const { workflow } = new Client({ connection })
  const lengths: number[] = []
  const sizes: number[] = []
  let activities = 0
  for (const orderId of orderIds) {
    const handle = workflow.getHandle(`order:${orderId}`)
    const { events } = await handle.fetchHistory()
    sizes.push((await handle.describe()).historySize ?? Number.NaN)
    lengths.push(events?.length ?? 0)
    activities += events?.filter((event) => event.activityTaskScheduledEventAttributes != null).length ?? 0
  }
  await connection.close()
  return { events: median(lengths), bytes: median(sizes), activities }
}

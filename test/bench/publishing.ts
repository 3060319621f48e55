import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/store/connection/database.ts'
import { feedHoldUp } from '../support/engines/feedHoldUp.ts'
import { copyAndMerge, makeLimitTables } from './copyAndMerge.ts'
import { counted } from './counters.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, median, type Row, type Sample } from './pairs.ts'
import { openStage, type Stage } from './stage.ts'

const PRODUCTS = 2_000
const WEEKS = 50
const ENTRIES = PRODUCTS * WEEKS

type Publish = (stage: Stage, round: number) => Promise<number>

/** P10: a PUT of 100,000 avails, each with a new count, against COPY and one upsert of the same rows; orders, and the feed, while such a PUT runs. */
export const publishing: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  try {
    await publishProducts(stage)
    await makeLimitTables(stage.pool)
    let round = 0
    const measure = async (cpu: Record<string, number>, publish: (round: number) => Promise<number>): Promise<Sample> => {
      round += 1
      let value = 0
      const watched = { pool: stage.pool, cpu: { ...cpu, postgres: engines.postgres.pid } }
      const counters = await counted(watched, ENTRIES, async () => {
        value = await publish(round)
      })
      return { value, counters }
    }
    const paired = await comparePairs({
      ...run,
      ours: () => measure({ server: stage.api.pid }, (at) => put(stage, at)),
      limit: () => measure({}, (at) => copyAndMerge(stage, Readable.from(copyTextOf(at)))),
    })
    const publish: Row = {
      id: 'P10',
      work: `PUT /me/avails, ${ENTRIES} entries, every one with a new count`,
      against: 'COPY and set-based upsert of the same rows',
      unit: 'ms',
      goal: 'ratio <= 1.8',
      met: paired.ratio <= 1.8,
      ...paired,
    }
    return [
      publish,
      await intakeMeanwhile(stage, run, 'avails', put),
      await intakeMeanwhile(stage, run, 'prices of a rate card', putCard),
      await feedMeanwhile(stage, run, 'avails', put),
      await feedMeanwhile(stage, run, 'prices of a rate card', putCard),
    ]
  } finally {
    await stage.close()
  }
}

/** One order at a time, by turns alone and while something large is published. */
async function intakeMeanwhile(stage: Stage, run: Parameters<Bench>[1], what: string, publish: Publish): Promise<Row> {
  let round = 1_000
  const alone = async (): Promise<Sample> => {
    const deadline = performance.now() + 2_000
    return timed(await orders(stage, () => performance.now() < deadline))
  }
  const meanwhile = async (): Promise<Sample> => {
    round += 1
    let publishing = true
    const published = publish(stage, round).finally(() => {
      publishing = false
    })
    const times = await orders(stage, () => publishing)
    await published
    return timed(times)
  }
  const paired = await comparePairs({ ...run, ours: meanwhile, limit: alone })
  const goal = 'no order waits for the publish: longest below 1 s'
  const { longest_ms = Number.POSITIVE_INFINITY } = paired.counters.ours
  const met = longest_ms < 1_000
  const work = `POST /orders, one at a time, while ${ENTRIES} ${what} are published`
  return { id: 'P10', work, against: 'itself, alone', unit: 'ms, p50', goal, met, ...paired }
}

/** The feed of the buyer, by turns while nothing happens and while something large is published. */
async function feedMeanwhile(stage: Stage, run: Parameters<Bench>[1], what: string, publish: Publish): Promise<Row> {
  const db = openDatabase(stage.databaseUrl, { max: 2 })
  const holdUp = async (work: Promise<unknown>): Promise<Sample> => {
    const value = await feedHoldUp(db, { seller: 'summit', reader: 'northlight-media' }, work)
    return { value, counters: {} }
  }
  let round = 2_000
  try {
    const longest: number[] = []
    const meanwhile = async () => {
      round += 1
      const sample = await holdUp(publish(stage, round))
      longest.push(sample.value)
      return sample
    }
    const paired = await comparePairs({ ...run, ours: meanwhile, limit: () => holdUp(sleep(1_000)) })
    const longest_ms = Math.max(...longest)
    const counters = { ours: { longest_ms }, limit: paired.counters.limit }
    const work = `Longest time for which a committed event was not readable on the feed, while ${ENTRIES} ${what} are published`
    const goal = 'the feed is held up for at most 1 s'
    return { id: 'P10', work, against: 'itself, quiet', unit: 'ms, longest', goal, met: longest_ms <= 1_000, ...paired, counters }
  } finally {
    await db.close()
  }
}

async function orders({ buyer, nextOrder }: Stage, goOn: () => boolean): Promise<number[]> {
  const times: number[] = []
  while (goOn()) {
    const began = performance.now()
    await buyer.createOrder({ body: nextOrder() })
    times.push(performance.now() - began)
  }
  return times
}

function timed(times: readonly number[]): Sample {
  return { value: median(times), counters: { orders: times.length, longest_ms: Math.max(...times) } }
}

async function put(stage: Stage, round: number): Promise<number> {
  const body = JSON.stringify({ avails: [...avails(round)] })
  const began = performance.now()
  const { text } = await stage.seller.publishAvails({ body })
  if (!text.includes(`"accepted":${ENTRIES},`)) throw new Error(`PUT /me/avails: ${text.slice(0, 500)}`)
  return performance.now() - began
}

async function putCard(stage: Stage, round: number): Promise<number> {
  const entries = [...avails(round)].map(({ product_id, period }) => ({
    product_id,
    week: period.start,
    market_class: 'scatter',
    advertiser_class: 'general',
    spot_length: 30,
    buy_type: 'preemptible',
    gross_rate_unit: round,
  }))
  const body = JSON.stringify({ commit: `bulk-${round}`, effective: { start: '2029-12-31', end: '2030-12-29' }, entries })
  const began = performance.now()
  const { text } = await stage.seller.publishRateCard({ body })
  if (!text.includes(`"accepted":${ENTRIES},`)) throw new Error(`PUT /me/rate-cards: ${text.slice(0, 500)}`)
  return performance.now() - began
}

function copyTextOf(round: number): string[] {
  return [...avails(round)].map(
    (avail) => `${avail.product_id}\t${avail.period.grain}\t${avail.period.start}\t${avail.state}\t${JSON.stringify(avail)}\n`,
  )
}

function* avails(round: number) {
  for (let product = 0; product < PRODUCTS; product += 1) {
    for (let week = 1; week <= WEEKS; week += 1) {
      const period = { grain: 'week', start: `2030-W${String(week).padStart(2, '0')}` }
      yield { product_id: `bulk-${product}`, period, state: 'available', spots: { available: round * 10 + (week % 10) } }
    }
  }
}

async function publishProducts({ seller }: Stage): Promise<void> {
  const products = Array.from({ length: PRODUCTS }, (_, index) => ({
    product_id: `bulk-${index}`,
    type: 'daypart',
    network: 'Summit One',
    buy_types: ['preemptible'],
    definition: { selling_title: 'Bulk', days: ['Mon'], start: '19:00', end: '20:00', timezone: 'America/New_York' },
  }))
  await seller.publishCatalog({ body: JSON.stringify({ taxonomy_version: 'tv-2', products }) })
}

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openDatabase } from '../../src/store/connection/database.ts'
import { copyAndMerge, makeLimitTables } from './copyAndMerge.ts'
import { counted } from './counters.ts'
import { type DropCost, landDrop, watchDrop } from './dropRuns.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, median, type Row, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const PRODUCTS = 2_000
const DATES = Array.from({ length: 500 }, (_, day) => new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 10))
const ROWS = PRODUCTS * DATES.length

/**
 * P10, the file drop: a csv file of a million avails, each with a new count, from its registration to its result, against COPY and one upsert of the
 * same rows. Meanwhile orders are placed one at a time, and transactions and the memory of the worker are watched.
 */
export const fileDrops: Bench = async (engines, run) => {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-bench-drops-'))
  const worker = await startProgram('worker/main', { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, PORT: '' })
  const db = openDatabase(stage.databaseUrl, { max: 4 })
  try {
    await publishProducts(stage)
    await makeLimitTables(stage.pool)
    let round = 0
    const seen: DropCost[] = []
    const measure = async (cpu: Record<string, number>, work: (round: number) => Promise<number>): Promise<Sample> => {
      round += 1
      let value = 0
      const counters = await counted({ pool: stage.pool, cpu: { ...cpu, postgres: engines.postgres.pid } }, ROWS, async () => {
        value = await work(round)
      })
      return { value, counters }
    }
    const drop = async (at: number): Promise<number> => {
      const land = await landDrop(db, folder, { type: 'avails', rows: ROWS, text: csvOf(at) })
      const { ms, cost } = await watchDrop(stage, worker.pid, land)
      seen.push(cost)
      return ms
    }
    const paired = await comparePairs({
      ...run,
      ours: () => measure({ worker: worker.pid }, drop),
      limit: () => measure({}, (at) => limitOf(stage, folder, at)),
    })
    const figures = {
      longest_transaction_ms: Math.max(...seen.map(({ transactionMs }) => transactionMs)),
      longest_order_ms: Math.max(...seen.map(({ orderMs }) => orderMs)),
      memory_growth_mib: median(seen.map(({ memoryMib }) => memoryMib)),
      worker_growth_mib: median(seen.map(({ workerMib }) => workerMib)),
    }
    const work = `File drop of ${ROWS} avails as csv, every one with a new count`
    const against = 'COPY and set-based upsert of the same rows'
    const row = (unit: string, goal: string, met: boolean): Row => ({
      ...{ id: 'P10', work, against, unit, goal, met },
      ...paired,
      counters: { ours: { ...paired.counters.ours, ...figures }, limit: paired.counters.limit },
    })
    const isQuick = figures.longest_transaction_ms < 600 && figures.longest_order_ms < 1_000 && figures.memory_growth_mib <= 150
    return [
      row('ms', 'ratio <= 1.4, transactions < 0.6 s, orders < 1 s, growth of worker and reader <= 150 MiB', paired.ratio <= 1.4 && isQuick),
    ]
  } finally {
    await worker.stop()
    await db.close()
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The rows come from a file, as those of the drop do. */
async function limitOf(stage: Stage, folder: string, round: number): Promise<number> {
  const path = join(folder, 'avails.copy')
  await pipeline(Readable.from(copyTextOf(round)), createWriteStream(path))
  return copyAndMerge(stage, createReadStream(path))
}

/** The product, the date and the count of every row of a round, some thousand rows at a time. */
function* rowsOf(round: number, line: (product_id: string, date: string, count: number) => string): Generator<string> {
  for (let product = 0; product < PRODUCTS; product += 1)
    yield DATES.map((date, index) => line(`bulk-${product}`, date, round * 10 + (index % 10))).join('')
}

function* csvOf(round: number): Generator<string> {
  yield 'product_id,period.grain,period.start,state,basis,sellout_level,spots.available,impressions.source,impressions.stream,impressions.A25-54.per_spot\n'
  yield* rowsOf(round, (product_id, date, count) => `${product_id},day,${date},available,,,${count},,,\n`)
}

function copyTextOf(round: number): Generator<string> {
  return rowsOf(round, (product_id, start, available) => {
    const body = { product_id, period: { grain: 'day', start }, state: 'available', spots: { available } }
    return `${product_id}\tday\t${start}\tavailable\t${JSON.stringify(body)}\n`
  })
}

async function publishProducts({ seller }: Stage): Promise<void> {
  const products = Array.from({ length: PRODUCTS }, (_, index) => ({
    product_id: `bulk-${index}`,
    type: 'daypart',
    network: 'Summit One',
    buy_types: ['preemptible'],
    grains: ['week', 'day'],
    definition: { selling_title: 'Bulk', days: ['Mon'], start: '19:00', end: '20:00', timezone: 'America/New_York' },
  }))
  await seller.publishCatalog({ body: JSON.stringify({ taxonomy_version: 'tv-2', products }) })
}

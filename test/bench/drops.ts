import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { directoryStorage } from '../../src/adapters/objectStorage/directory.ts'
import { readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/store/connection/database.ts'
import { readDrop } from '../../src/store/drops/drops.ts'
import { registerDrop } from '../../src/store/drops/registerDrop.ts'
import { copyAndMerge, makeLimitTables } from './copyAndMerge.ts'
import { counted } from './counters.ts'
import type { Bench } from './orderIntake.ts'
import { comparePairs, median, type Row, type Sample } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage, type Stage } from './stage.ts'

const PRODUCTS = 2_000
const DATES = Array.from({ length: 500 }, (_, day) => new Date(Date.UTC(2030, 0, 1 + day)).toISOString().slice(0, 10))
const ROWS = PRODUCTS * DATES.length
const MIB = 1024 * 1024
/** A drop takes about a minute. */
const MOST_PAIRS = 3

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
    const seen = { memory: [] as number[], transactions: [] as number[], orders: [] as number[] }
    const measure = async (cpu: Record<string, number>, work: (round: number) => Promise<number>): Promise<Sample> => {
      round += 1
      let value = 0
      const counters = await counted({ pool: stage.pool, cpu: { ...cpu, postgres: engines.postgres.pid } }, ROWS, async () => {
        value = await work(round)
      })
      return { value, counters }
    }
    const drop = async (at: number): Promise<number> => {
      const land = await landing(db, folder, at)
      const before = await residentBytes(worker.pid)
      const watch = watching(stage, worker.pid)
      const ms = await land()
      const { memory, transaction, order } = await watch()
      seen.memory.push((memory - before) / MIB)
      seen.transactions.push(transaction)
      seen.orders.push(order)
      return ms
    }
    const paired = await comparePairs({
      ...run,
      pairs: Math.min(run.pairs, MOST_PAIRS),
      ours: () => measure({ worker: worker.pid }, drop),
      limit: () => measure({}, (at) => limitOf(stage, folder, at)),
    })
    const figures = {
      longest_transaction_ms: Math.max(...seen.transactions),
      longest_order_ms: Math.max(...seen.orders),
      worker_growth_mib: median(seen.memory),
    }
    const work = `File drop of ${ROWS} avails as csv, every one with a new count`
    const against = 'COPY and set-based upsert of the same rows'
    const row = (unit: string, goal: string, met: boolean): Row => ({
      ...{ id: 'P10', work, against, unit, goal, met },
      ...paired,
      counters: { ours: { ...paired.counters.ours, ...figures }, limit: paired.counters.limit },
    })
    const isQuick = figures.longest_transaction_ms < 600 && figures.longest_order_ms < 1_000 && figures.worker_growth_mib <= 150
    return [row('ms', 'ratio <= 1.4, transactions < 0.6 s, orders < 1 s, worker growth <= 150 MiB', paired.ratio <= 1.4 && isQuick)]
  } finally {
    await worker.stop()
    await db.close()
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes the file of a round into a drop; the function that is returned registers it and waits for its result. */
async function landing(db: Database, folder: string, round: number): Promise<() => Promise<number>> {
  const seller = 'summit'
  const drop_id = `bench-${randomBytes(4).toString('hex')}`
  const path = join(folder, 'avails.csv')
  await pipeline(Readable.from(csvOf(round)), createWriteStream(path))
  const storage = directoryStorage(join(readConfig({}).dataDir, 'drops'))
  await storage.put(`${seller}/${drop_id}/avails.csv`, createReadStream(path))
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk)
    size += chunk.length
  }
  const sha256 = hash.digest('hex')
  const files = [{ filename: 'avails.csv', type: 'avails' as const, format: 'csv' as const, sha256, tag: '1', size }]
  return async () => {
    const began = performance.now()
    await registerDrop(
      db,
      seller,
      { drop_id, schema_version: '1.0', effective: undefined, files, identity: sha256, reprocess: false, warnings: [] },
      0,
    )
    for (;;) {
      const drop = await readDrop(db, seller, drop_id)
      if (drop?.stage === 'ended') {
        if (drop.rows_written !== ROWS) throw new Error(`the drop has written ${drop.rows_written} rows: ${drop.result?.slice(0, 500)}`)
        await storage.delete(`${seller}/${drop_id}`)
        return performance.now() - began
      }
      await sleep(50)
    }
  }
}

/** Watches until it is stopped: the memory of the worker alone, the oldest transaction that has written, and orders one at a time. */
function watching({ pool, buyer, nextOrder }: Stage, worker: number) {
  let isOver = false
  const most = { memory: 0, transaction: 0, order: 0 }
  const sampling = (async () => {
    while (!isOver) {
      most.memory = Math.max(most.memory, await residentBytes(worker))
      const { rows } = await pool.query<{ ms: number | null }>(OLDEST)
      most.transaction = Math.max(most.transaction, rows[0]?.ms ?? 0)
      await sleep(20)
    }
  })()
  const ordering = (async () => {
    while (!isOver) {
      const began = performance.now()
      await buyer.placeOrder({ body: nextOrder() })
      most.order = Math.max(most.order, performance.now() - began)
      await sleep(100)
    }
  })()
  return async () => {
    isOver = true
    await Promise.all([sampling, ordering])
    return most
  }
}

/** Of clients: the server's own analyze takes as long as it takes, and holds nobody up. */
const OLDEST = `select (extract(epoch from max(clock_timestamp() - xact_start)) * 1000)::float8 as ms from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and backend_xid is not null and pid <> pg_backend_pid()`

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
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

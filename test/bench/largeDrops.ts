import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/store/connection/database.ts'
import { type CsvFile, type DropCost, landDrop, watchDrop } from './dropRuns.ts'
import type { Bench } from './orderIntake.ts'
import type { Row } from './pairs.ts'
import { startProgram } from './program.ts'
import { openStage } from './stage.ts'

const PRODUCTS = 100_000
const WEEKS = 52
/** A price per week of the window. */
const ENTRIES = Math.floor(1_000_000 / WEEKS)

/** P10, drops as large as they may be: a catalog, the same with every product changed, and a rate card. Each runs once. */
export const largeDrops: Bench = async (engines, { onProgress }) => {
  const stage = await openStage(engines)
  const { address } = await engines.temporal()
  const folder = await mkdtemp(join(tmpdir(), 'marketplace-bench-drops-'))
  const env = { DATABASE_URL: stage.databaseUrl, TEMPORAL_ADDRESS: address, PORT: '', PRODUCTS_PER_SELLER: `${2 * PRODUCTS}` }
  const db = openDatabase(stage.databaseUrl, { max: 4 })
  const rows: Row[] = []
  try {
    for (const [work, file] of FILES) {
      const worker = await startProgram('worker/main', env)
      try {
        const land = await landDrop(db, folder, file)
        const { ms, cost } = await watchDrop(stage, worker.pid, land)
        rows.push(rowOf(work, ms, cost))
        onProgress(`${work}: ${Math.round(ms)} ms, ${JSON.stringify(cost)}`)
      } finally {
        await worker.stop()
      }
    }
    return rows
  } finally {
    await db.close()
    await stage.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function rowOf(work: string, ms: number, { memoryMib, workerMib, transactionMs, orderMs }: DropCost): Row {
  const figures = {
    ...{ longest_transaction_ms: transactionMs, longest_order_ms: orderMs },
    ...{ memory_growth_mib: memoryMib, worker_growth_mib: workerMib },
  }
  return {
    ...{ id: 'P10', work: `File drop of ${work} as csv`, against: 'nothing', unit: 'ms', ours: ms, limit: null, ratio: null },
    ...{ spread: null, pairs: 1, goal: 'transactions < 0.6 s, orders < 1 s, growth of worker and reader <= 150 MiB' },
    met: transactionMs < 600 && orderMs < 1_000 && memoryMib <= 150,
    counters: { ours: figures, limit: {} },
  }
}

const FILES: readonly (readonly [work: string, file: CsvFile])[] = [
  [`${PRODUCTS} new products`, { type: 'catalog', rows: PRODUCTS, text: catalogOf('new') }],
  [`${PRODUCTS} changed products`, { type: 'catalog', rows: PRODUCTS, text: catalogOf('changed') }],
  [`${ENTRIES * WEEKS} prices`, { type: 'rate_cards', rows: ENTRIES, text: cardOf() }],
]

function* catalogOf(name: string): Generator<string> {
  yield `product_id,name,type,network,buy_types,grains,definition.selling_title,definition.days,definition.start,definition.end,definition.timezone,external_ref,taxonomy_version\n`
  for (let index = 0; index < PRODUCTS; index += 1)
    yield `large-${index},${name} ${index},daypart,Summit One,preemptible,week|day,Prime,Mon|Tue,19:00,20:00,America/New_York,ref-${index},tv-2\n`
}

function* cardOf(): Generator<string> {
  yield 'product_id,market_class,advertiser_class,spot_length,buy_type,gross_rate_unit\n'
  for (let index = 0; index < ENTRIES; index += 1) yield `large-${index},scatter,general,30,preemptible,${100 + (index % 900)}\n`
}

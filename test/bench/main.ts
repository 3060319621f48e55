import { writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os'
import { Command } from 'commander'
import { buildPrograms } from '../support/engines/buildPrograms.ts'
import { commands } from './commands.ts'
import { fileDrops } from './drops.ts'
import { startEngines } from './engines.ts'
import { feedPages } from './feedPages.ts'
import { largeDrops } from './largeDrops.ts'
import { mails } from './mails.ts'
import { orderBook } from './orderBook.ts'
import { type Bench, intakeAtOnce, intakeOneByOne } from './orderIntake.ts'
import { type Counters, type Row, rounded } from './pairs.ts'
import { publishing } from './publishing.ts'
import { reads } from './reads.ts'
import { reconciling } from './reconciling.ts'
import { webhooks } from './webhooks.ts'
import { wholeOrders } from './wholeOrders.ts'

const BENCHES: Readonly<Record<string, Bench>> = {
  P1: intakeAtOnce,
  P2: intakeOneByOne,
  P3: commands,
  P4: wholeOrders,
  P7: reads,
  P8: feedPages,
  P9: orderBook,
  P10: async (engines, run) => [
    ...(await publishing(engines, run)),
    ...(await fileDrops(engines, run)),
    ...(await largeDrops(engines, run)),
  ],
  P11: webhooks,
  P15: mails,
  P16: reconciling,
}
/** Measured on the way of another. */
const PART_OF: Readonly<Record<string, string>> = { P5: 'P4', P6: 'P4', P11a: 'P11' }

const PAIRS = 7
const QUICK_PAIRS = 3
const NOTES = [
  'API and worker are those of a build, as in production, with the workflows bundled before.',
  'Rate limits are off (RATE_LIMITS=off).',
  'Load, servers and engines share the machine; limit and product meet the same Postgres, at the same durability, by turns.',
  'Counters are per operation. CPU is in microseconds, and covers every process of the part that is named, those that have ended too.',
]

const program = new Command('bench')
  .description('Holds the marketplace against limits that do the same work, by paired and interleaved runs.')
  .argument('[names...]', `what to run: ${[...Object.keys(BENCHES), ...Object.keys(PART_OF)].sort().join(', ')}; everything when left out`)
  .option('--quick', `${QUICK_PAIRS} pairs instead of ${PAIRS}, and docs/benchmarks.json stays as it is`)
  .action(run)

async function run(names: string[], { quick = false }: { quick?: boolean }): Promise<void> {
  const wanted = new Set(names.map((name) => PART_OF[name] ?? name))
  const unknown = [...wanted].filter((name) => BENCHES[name] === undefined)
  if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}.`)
  const [busyBefore = 0] = loadavg()
  say('building what is measured')
  await buildPrograms()
  const engines = await startEngines(say)
  const rows: Row[] = []
  try {
    for (const [name, bench] of Object.entries(BENCHES)) {
      if (wanted.size > 0 && !wanted.has(name)) continue
      say(`${name} ...`)
      rows.push(...(await bench(engines, { pairs: quick ? QUICK_PAIRS : PAIRS, onProgress: say })))
    }
  } finally {
    await engines.stop()
  }
  rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  for (const row of rows) print(row)
  for (const note of NOTES) process.stdout.write(`${note}\n`)
  if (!quick && wanted.size === 0) await keep(rows, busyBefore)
}

function print({ id, work, against, unit, ours, limit, ratio, spread, goal, met, counters }: Row): void {
  const ratios =
    ratio === null || spread === null ? '' : `, ratio ${ratio.toFixed(2)} (${spread.lowest.toFixed(2)} to ${spread.highest.toFixed(2)})`
  const figures = limit === null ? `${rounded(ours)} ${unit}` : `${rounded(ours)} against ${rounded(limit)} ${unit}${ratios}`
  process.stdout.write(`\n${id}  ${work}\n    ${figures}\n    goal ${goal}: ${met ? 'met' : 'missed'}; held against ${against}\n`)
  process.stdout.write(`    ours   ${counts(counters.ours)}\n`)
  if (limit !== null) process.stdout.write(`    limit  ${counts(counters.limit)}\n`)
}

function counts(counters: Counters): string {
  return Object.entries(counters)
    .map(([name, value]) => `${name} ${rounded(value)}`)
    .join('  ')
}

async function keep(rows: readonly Row[], busyBefore: number): Promise<void> {
  const machine = {
    platform: `${platform()}-${arch()}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory_gb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    // Above zero, others used the machine too: believe the counters first, then the ratios, and the figures last.
    load_before: busyBefore,
  }
  const results = rows.map((row) => JSON.parse(JSON.stringify(row, (_key, value) => (typeof value === 'number' ? rounded(value) : value))))
  const file = new URL('../../docs/benchmarks.json', import.meta.url)
  await writeFile(
    file,
    `${JSON.stringify({ measured_at: new Date().toISOString().slice(0, 10), machine, notes: NOTES, results }, null, 2)}\n`,
  )
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

program.parseAsync().catch((error: Error) => {
  say(error.stack ?? error.message)
  process.exit(1)
})

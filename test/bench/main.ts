import { loadavg } from 'node:os'
import { Command } from 'commander'
import { onStopSignal } from '../../src/cli/stopSignals.ts'
import { buildPrograms } from '../support/engines/buildPrograms.ts'
import { bookSizes } from './bookSizes.ts'
import { commands } from './commands.ts'
import { fileDrops } from './drops.ts'
import { startEngines, stopEngines } from './engines.ts'
import { feedPages } from './feedPages.ts'
import { floods } from './floods.ts'
import { byId, keepResults } from './keepResults.ts'
import { largeDrops } from './largeDrops.ts'
import { mails } from './mails.ts'
import { metricsCost } from './metricsCost.ts'
import { orderBook } from './orderBook.ts'
import { type Bench, intakeAtOnce, intakeOneByOne, type Run } from './orderIntake.ts'
import { renewPages } from './pages/pages.ts'
import { type Counters, type Row, rounded } from './pairs.ts'
import { parkedOrders } from './parkedOrders.ts'
import { processes } from './processes.ts'
import { publishing } from './publishing.ts'
import { reads } from './reads.ts'
import { reconciling, reconcilingMakegoods } from './reconciling.ts'
import { rowSecurity } from './rowSecurity.ts'
import { tracesCost } from './tracesCost.ts'
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
  P12: parkedOrders,
  P13: bookSizes,
  P14: floods,
  P15: mails,
  P16: reconciling,
  P17: metricsCost,
  P18: processes,
  P19: tracesCost,
  P20: rowSecurity,
  P21: reconcilingMakegoods,
}
/** Measured on the way of another. */
const PART_OF: Readonly<Record<string, string>> = { P5: 'P4', P6: 'P4', P11a: 'P11', P11b: 'P11' }

const PAIRS = 7
const QUICK_PAIRS = 3
const NOTES = [
  'API and worker are those of a build, as in production, with the workflows bundled before.',
  'Rate limits are off (RATE_LIMITS=off).',
  'Load, servers and engines share the machine; limit and product meet the same Postgres, at the same durability, by turns.',
  'Counters are per operation; what says whom a statement acts for is sent with it and is not counted as one. CPU is in microseconds, and covers every process of the part that is named, those that have ended too.',
]

/** What a run of everything has time for, and what `--large` asks for. */
const USUAL = { parked: 10_000, book: 1_000_000 }
const LARGE = { parked: 100_000, book: 10_000_000 }

const NAMES = [...Object.keys(BENCHES), ...Object.keys(PART_OF)].map((id) => ({ id })).sort(byId)

const program = new Command('bench')
  .description('Holds the marketplace against limits that do the same work, by paired and interleaved runs.')
  .argument('[names...]', `what to run: ${NAMES.map(({ id }) => id).join(', ')}; everything when left out`)
  .option('--quick', `${QUICK_PAIRS} pairs instead of ${PAIRS}, and docs/benchmarks.json stays as it is`)
  .option('--keep', 'writes what is named into docs/benchmarks.json, as a run of everything does')
  .option('--parked <count>', `orders that are parked in P12; ${USUAL.parked} when left out`, Number)
  .option('--book <count>', `orders in the larger book of P13; ${USUAL.book} when left out`, Number)
  .option('--large', `${LARGE.parked} in P12 and ${LARGE.book} in P13: takes hours`)
  .action(run)

interface Options {
  quick?: boolean
  keep?: boolean
  parked?: number
  book?: number
  large?: boolean
}

async function run(names: string[], { quick = false, keep = false, large = false, ...sizes }: Options): Promise<void> {
  const wanted = new Set(names.map((name) => PART_OF[name] ?? name))
  const unknown = [...wanted].filter((name) => BENCHES[name] === undefined)
  if (unknown.length > 0) throw new Error(`There is no benchmark ${unknown.join(', ')}.`)
  const [loadBefore = 0] = loadavg()
  const asked: Run = { pairs: quick ? QUICK_PAIRS : PAIRS, onProgress: say, sizes: { ...(large ? LARGE : USUAL), ...sizes } }
  say('building what is measured')
  await buildPrograms()
  const keeps = keep || (!quick && wanted.size === 0)
  await runAll(wanted, asked, async (rows) => {
    for (const row of rows) print(row)
    if (keeps) await keepResults(rows, { notes: NOTES, loadBefore })
  })
  for (const note of NOTES) process.stdout.write(`${note}\n`)
  if (keeps) await renewPages()
}

/** One that fails takes none of the others with it: why is said at once, and the exit code is 1. */
async function runAll(wanted: ReadonlySet<string>, asked: Run, onRows: (rows: readonly Row[]) => Promise<void>): Promise<void> {
  const engines = await startEngines(say)
  try {
    for (const [name, bench] of Object.entries(BENCHES)) {
      if (wanted.size > 0 && !wanted.has(name)) continue
      say(`${name} ...`)
      const began = Date.now()
      try {
        await onRows(await bench(engines, asked))
      } catch (error) {
        process.exitCode = 1
        say(`${name} has failed: ${(error as Error).stack}`)
      }
      say(`${name} took ${Math.round((Date.now() - began) / 1_000)} s`)
    }
  } finally {
    await engines.stop()
  }
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

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

onStopSignal(() => void stopEngines().then(() => process.exit(1)))

program.parseAsync().catch((error: Error) => {
  say(error.stack ?? error.message)
  process.exit(1)
})

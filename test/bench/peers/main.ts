import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { onStopSignal } from '../../../src/cli/stopSignals.ts'
import { stopEngines } from '../engines.ts'
import { machineHere } from '../machine.ts'
import { rounded } from '../pairs.ts'
import { barsOf } from './bars.ts'
import { dbos, graphileWorker, pgBoss } from './libraries.ts'
import { measure, QUICK, type Size, WHOLE } from './measure.ts'
import { medusa } from './medusa.ts'
import { ours } from './ours.ts'
import { type Closing, type Figures, NotHereError, type Peer, type Result } from './peer.ts'
import { referenceOrders } from './referenceOrders.ts'
import { restate } from './restate.ts'
import { tableOf } from './table.ts'

const PEERS: Readonly<Record<string, Peer>> = {
  ours,
  medusa,
  'reference-app-orders-go': referenceOrders,
  restate,
  dbos,
  'graphile-worker': graphileWorker,
  'pg-boss': pgBoss,
}

const NOTES = [
  'Every peer runs alone, one after the other, with the driver on the same machine; each has its own durable defaults and a new Postgres or engine of its own.',
  'Whole orders/s and CPU are medians of rounds. CPU covers every process of a peer, its Postgres or engine included, and not the driver.',
  'Memory is the proportional set size of the same processes: at rest after the start, and with orders that wait for a decision.',
  'others: the share of the cores that other processes used meanwhile; above 10 % the row is marked as measured on a loaded machine.',
]

const program = new Command('bench:peers')
  .description(
    'Holds the marketplace against others that carry orders or jobs. A whole run writes docs/benchmarks.json and docs/pictures/peers.svg.',
  )
  .argument('[names...]', `who to measure: ${Object.keys(PEERS).join(', ')}; everyone when left out`)
  .option('--quick', 'a short run, that writes nothing')
  .option('--fetch', 'fetches the peers, measures nothing')
  .action(run)

async function run(names: string[], { quick = false, fetch = false }: { quick?: boolean; fetch?: boolean }): Promise<void> {
  const unknown = names.filter((name) => PEERS[name] === undefined)
  if (unknown.length > 0) throw new Error(`There is no peer ${unknown.join(', ')}.`)
  const [load_before = 0] = loadavg()
  const results: Result[] = []
  for (const [name, peer] of Object.entries(PEERS)) {
    if (names.length > 0 && !names.includes(name)) continue
    say(`${peer.name} ...`)
    results.push(await resultOf(peer, fetch ? undefined : quick ? QUICK : WHOLE))
  }
  if (fetch) return
  process.stdout.write(`\n${tableOf(results)}\n\n${NOTES.join('\n')}\n`)
  if (!quick && names.length === 0) await keep(results, load_before)
}

/** Whatever becomes of one peer, the others follow. */
async function resultOf(peer: Peer, size: Size | undefined): Promise<Result> {
  const { name, work, leavesOut, atOnce } = peer
  const result: Result = { name, work, leavesOut, atOnce, version: '' }
  const closing: Closing = []
  underWay = closing
  try {
    result.version = await peer.fetch(say)
    if (size === undefined) return result
    result.figures = await Promise.race([figuresOf(peer, size, closing), tooLong()])
  } catch (error) {
    const { message, stack } = error as Error
    say(`  ${error instanceof NotHereError ? message : (stack ?? message)}`)
    result.notHere = error instanceof NotHereError ? message : `it failed: ${message.split('\n')[0]}`
  } finally {
    await closeAll(closing)
  }
  return result
}

async function figuresOf(peer: Peer, size: Size, closing: Closing): Promise<Figures> {
  const running = await peer.start(closing, say)
  return measure(running, peer.atOnce, size, say)
}

/** Of the peer that is running. */
let underWay: Closing = []

async function stopAll(): Promise<void> {
  await closeAll(underWay)
  await stopEngines()
}

/** Several times what a peer takes on a quiet machine, its download apart. */
const LONGEST_MS = 300_000
const LONGEST_CLOSE_MS = 20_000

async function tooLong(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false })
  throw new Error(`it was not measured within ${LONGEST_MS / 1_000} s`)
}

async function closeAll(closing: Closing): Promise<void> {
  for (const close of closing.reverse())
    await Promise.race([close(), sleep(LONGEST_CLOSE_MS, undefined, { ref: false })]).catch((error: Error) =>
      say(`  on the way out: ${error.message}`),
    )
}

/** Beside the results of the other benchmarks, which stay as they are. */
async function keep(results: readonly Result[], load_before: number): Promise<void> {
  const measured_at = new Date().toISOString().slice(0, 10)
  const file = new URL('../../../docs/benchmarks.json', import.meta.url)
  const rest = JSON.parse(await readFile(file, 'utf8')) as object
  const peers = { measured_at, load_before: rounded(load_before), machine: machineHere(), notes: NOTES, results: results.map(toKeep) }
  await writeFile(file, `${JSON.stringify({ ...rest, peers }, null, 2)}\n`)
  await writeFile(new URL('../../../docs/pictures/peers.svg', import.meta.url), barsOf(results, measured_at))
}

function toKeep(result: Result): unknown {
  return JSON.parse(JSON.stringify(result, (_key, value) => (typeof value === 'number' ? rounded(value) : value)))
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

// What a peer leaves behind when it dies, such as a request that nobody waits for any more, must not end the run; leaving stops every server.
process.on('unhandledRejection', (error) => say(`  ${error instanceof Error ? error.message : String(error)}`))
onStopSignal(() => void stopAll().then(() => process.exit(1)))

program.parseAsync().then(
  () => process.exit(0),
  (error: Error) => {
    say(error.stack ?? error.message)
    process.exit(1)
  },
)

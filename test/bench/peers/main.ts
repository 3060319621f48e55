import { once } from 'node:events'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import { onStopSignal } from '../../../src/cli/stopSignals.ts'
import { stopEngines } from '../engines.ts'
import { keepPeers } from '../keepResults.ts'
import { renewPages } from '../pages/pages.ts'
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

/** A signal aborts it, and `stopped` fails: what is up comes down, and the run ends. */
const stopping = new AbortController()
const stopped = once(stopping.signal, 'abort').then((): never => {
  throw new Error('stopped by a signal')
})
stopped.catch(() => undefined) // while nobody waits for it

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
  if (quick || names.length > 0) return
  await keepPeers({ load_before, notes: NOTES, results })
  await renewPages()
}

/** Whatever becomes of one peer, the others follow, unless a signal has come. */
async function resultOf(peer: Peer, size: Size | undefined): Promise<Result> {
  const { name, work, leavesOut, atOnce } = peer
  const result: Result = { name, work, leavesOut, atOnce, version: '' }
  try {
    result.version = await Promise.race([peer.fetch(say), stopped])
    if (size !== undefined) result.figures = await figuresOf(peer, size)
  } catch (error) {
    if (stopping.signal.aborted) throw error
    const { message, stack } = error as Error
    say(`  ${error instanceof NotHereError ? message : (stack ?? message)}`)
    result.notHere = error instanceof NotHereError ? message : `it failed: ${message.split('\n')[0]}`
  }
  return result
}

async function figuresOf(peer: Peer, size: Size): Promise<Figures> {
  const up: Closing = []
  const starting = peer.start(up, say)
  try {
    const measuring = starting.then((running) => measure(running, peer.atOnce, size, say))
    return await Promise.race([measuring, tooLong(), stopped])
  } finally {
    await closeAll(up)
    // What was still starting comes down too.
    await stopEngines()
    await Promise.race([starting.catch(() => undefined), sleep(LONGEST_CLOSE_MS, undefined, { ref: false })])
    await closeAll(up)
  }
}

/** Several times what a peer takes on a quiet machine, its download apart. */
const LONGEST_MS = 300_000
const LONGEST_CLOSE_MS = 20_000

async function tooLong(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false })
  throw new Error(`it was not measured within ${LONGEST_MS / 1_000} s`)
}

async function closeAll(up: Closing): Promise<void> {
  for (let close = up.pop(); close !== undefined; close = up.pop())
    await Promise.race([close(), sleep(LONGEST_CLOSE_MS, undefined, { ref: false })]).catch((error: Error) =>
      say(`  on the way out: ${error.message}`),
    )
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

// What a peer leaves behind when it dies, such as a request that nobody waits for any more, must not end the run.
process.on('unhandledRejection', (error) => say(`  ${error instanceof Error ? error.message : String(error)}`))
onStopSignal(() => stopping.abort())

program.parseAsync().then(
  () => process.exit(0),
  (error: Error) => {
    say(stopping.signal.aborted ? error.message : (error.stack ?? error.message))
    process.exit(1)
  },
)

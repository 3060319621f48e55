import { createWriteStream } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { NoAnswerError } from '../../client/src/index.ts'
import { type Config, ConfigFault, readConfig } from '../config/index.ts'
import { DemoFault } from '../local/demo/demoFault.ts'
import { walkDrop } from '../local/demo/dropWalk.ts'
import { openProgress, type Progress } from '../local/demo/progress.ts'
import { heading, line } from '../local/demo/story.ts'
import { BUYER, walk } from '../local/demo/walk.ts'
import { type Marketplace, startMarketplace } from '../local/embedded/marketplace.ts'
import { endWith } from './endWith.ts'
import { onStopSignal } from './stopSignals.ts'

/**
 * `npm run demo`: starts the marketplace on one machine, walks four orders through it over HTTP, then keeps it running, or ends it with
 * `--exit`. `--pull` lets the seller's own API decide; `--drop` shows a seller that publishes only by files.
 */
async function main(): Promise<void> {
  const { exit, pull, drop } = readArguments()
  const config = readConfig()
  if (config.mode !== 'sandbox') throw new ConfigFault(NEEDS_SANDBOX)
  const progress = openProgress()
  const stopping = new AbortController()
  let marketplace: Marketplace | undefined
  onStopSignal((signal) => {
    progress.rest()
    say(`Stopping (${signal}) ...`)
    stopping.abort()
    void marketplace?.stop().then(() => process.exit(0), endWith)
  })

  try {
    marketplace = await start(config, progress, stopping.signal)
    stopping.signal.throwIfAborted()
    const { credentials } = marketplace
    if (credentials === undefined) throw new ConfigFault(NEEDS_SANDBOX)
    line(
      `A marketplace is up at ${marketplace.baseUrl}. All that follows goes over HTTP, with the tokens of ${fileOf(config, 'credentials.json')}`,
    )
    line('and the bodies of docs/examples, as any client of it would.')
    const { signal } = stopping
    const folder = join(config.dataDir, DROP_FOLDER)
    const orderId = drop
      ? await walkDrop({ credentials, progress, signal, folder, shown: fileOf(config, DROP_FOLDER) })
      : await walk({ credentials, progress, signal, pull })
    if (!exit) tellWhereToLook(marketplace, config, orderId)
  } catch (error) {
    progress.rest()
    await marketplace?.stop()
    if (stopping.signal.aborted) process.exit(0)
    throw error instanceof NoAnswerError ? new DemoFault(`${error.message} The log in the data directory says why.`) : error
  }
  if (exit) {
    await marketplace.stop()
    process.exit(0)
  }
  line()
  line('It keeps running. Ctrl-C stops everything; npm start or npm run demo continues where it stopped.')
}

const NEEDS_SANDBOX = 'The demo needs the tenants of the sandbox: unset MODE, or set MODE=sandbox together with DATABASE_URL.'

/** The folder of the drop demo inside the data directory. */
const DROP_FOLDER = 'demo-drop'

function readArguments(): { exit: boolean; pull: boolean; drop: boolean } {
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ options: { exit: flag, pull: flag, drop: flag } }).values
  } catch {
    throw new DemoFault(
      'The demo takes --exit, to stop after the story (npm run demo -- --exit), --pull, which is npm run demo:pull, and --drop, which is npm run demo:drop.',
    )
  }
}

async function start(config: Config, progress: Progress, signal: AbortSignal): Promise<Marketplace> {
  // The log is opened late, since the data directory exists only after the marketplace's first output.
  let log: NodeJS.WritableStream | undefined
  const keep = (text: string) => {
    log ??= createWriteStream(join(config.dataDir, LOG), { flags: 'a', mode: 0o600 }).on('error', () => undefined)
    log.write(`${text}\n`)
  }
  const marketplace = await startMarketplace(config, { onProgress: progress.say, onOutput: (_name, text) => keep(text), signal })
  progress.rest()
  return marketplace
}

/** The log of the API and the worker, in a file so that it does not interrupt the demo. */
const LOG = 'demo.log'

function tellWhereToLook({ baseUrl, temporalUi }: Marketplace, config: Config, orderId: string): void {
  const workflow = `order:${orderId}`
  const credentials = fileOf(config, 'credentials.json')
  heading('Where to look')
  line(`console        ${baseUrl}/console`)
  line(`API            ${baseUrl}/v1, described at ${baseUrl}/docs`)
  line(`contract       ${baseUrl}/v1/openapi.json`)
  if (temporalUi === null) line(`workflow       ${workflow}, in the Temporal of TEMPORAL_ADDRESS`)
  else {
    line(`this order     ${temporalUi}/namespaces/${config.temporalNamespace}/workflows/${encodeURIComponent(workflow)}`)
    line(`all orders     ${temporalUi}/namespaces/${config.temporalNamespace}/workflows`)
  }
  line(`credentials    ${credentials}; more by: npx order-marketplace operator token issue --tenant ${BUYER} --side buyer`)
  line(`log            ${fileOf(config, LOG)}`)
  line('sandbox        sandbox-tv answers each order by what it names: docs/buy/sandbox.md, docs/sell/sandbox.md')
  heading('Try it')
  line(`TOKEN=$(node -p "JSON.parse(fs.readFileSync('${credentials}')).buyers['${BUYER}'].token")`)
  line(`curl -s -H "Authorization: Bearer $TOKEN" ${baseUrl}/v1/orders/${orderId}`)
  line(`curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`)
  line(`  -d @docs/examples/cancel.json ${baseUrl}/v1/orders/${orderId}/cancel`)
}

/** Returns the path as a user can type it from the working directory. */
function fileOf({ dataDir }: Config, name: string): string {
  const path = join(dataDir, name)
  const near = relative(process.cwd(), path)
  return near.startsWith('..') ? path : near
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

// The reader of our output may close it; the marketplace keeps running.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
main().catch(endWith)

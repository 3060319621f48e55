import { readConfig } from '../config/index.ts'
import { awaitShops } from '../local/demo/awaitShops.ts'
import { seedCatalogs } from '../local/demo/seedCatalogs.ts'
import { type Marketplace, startMarketplace } from '../local/embedded/marketplace.ts'
import { endWith } from './endWith.ts'
import { onStopSignal } from './stopSignals.ts'

/** `npm start`: runs the marketplace on one machine until a signal stops it. Only the ready line goes to standard output. */
async function main(): Promise<void> {
  const stopping = new AbortController()
  let marketplace: Marketplace | undefined
  onStopSignal((signal) => {
    say(`Stopping (${signal}) ...`)
    stopping.abort()
    void marketplace?.stop().then(() => process.exit(0), endWith)
  })

  try {
    const config = readConfig()
    marketplace = await startMarketplace(config, {
      onProgress: say,
      onOutput: (_name, line) => say(line),
      signal: stopping.signal,
    })
    stopping.signal.throwIfAborted()
    const { credentials } = marketplace
    if (credentials !== undefined && config.seed === 'catalogs')
      await Promise.all([seedCatalogs(credentials, stopping.signal), awaitShops(credentials, stopping.signal)])
  } catch (error) {
    await marketplace?.stop()
    if (stopping.signal.aborted) process.exit(0)
    throw error
  }
  if (marketplace.temporalUi) say(`Temporal UI ${marketplace.temporalUi}`)
  const { sftp } = marketplace
  if (sftp) say(`SFTP ${sftp.host} port ${sftp.port}, host key ${sftp.fingerprint}`)
  process.stdout.write(`ready ${marketplace.baseUrl}\n`)
  say(`console ${marketplace.baseUrl}/console`)
  if (marketplace.credentials?.sandbox)
    say('sandbox: sellers and a buyer act by themselves, see docs/buy/sandbox.md and docs/sell/sandbox.md')
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

// The reader of our output may close it; the marketplace keeps running.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
main().catch(endWith)

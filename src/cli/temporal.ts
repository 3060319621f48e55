import { spawn } from 'node:child_process'
import { readConfig } from '../config.ts'
import { temporalAddress } from '../embedded/temporal.ts'
import { findTemporal } from '../embedded/temporalBinary.ts'
import { endWith } from './endWith.ts'

/** `npm run -s temporal -- <arguments>`: runs Temporal's command line against the Temporal server of the settings. */
async function main(): Promise<void> {
  const config = readConfig()
  const address = config.temporalAddress ?? (await temporalAddress(config.dataDir))
  const binary = await findTemporal({ dataDir: config.dataDir, onProgress: (text) => process.stderr.write(`${text}\n`) })
  const env = { ...process.env, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: config.temporalNamespace }
  const child = spawn(binary.path, process.argv.slice(2), { env, stdio: 'inherit' })
  child.once('error', endWith)
  child.once('exit', (code) => process.exit(code ?? 1))
}

main().catch(endWith)

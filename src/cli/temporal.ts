import { spawn } from 'node:child_process'
import { type TemporalOptions, temporalOptions } from '../adapters/temporal/temporalOptions.ts'
import { readConfig } from '../config/index.ts'
import { TEMPORAL } from '../config/temporal.ts'
import { temporalAddress } from '../local/embedded/temporal.ts'
import { findTemporal } from '../local/embedded/temporalBinary.ts'
import { endWith } from './endWith.ts'

/** `npm run -s temporal -- <arguments>`: runs Temporal's command line against the configured Temporal server. */
async function main(): Promise<void> {
  const config = readConfig()
  const address = config.temporalAddress ?? (await temporalAddress(config.dataDir))
  const options = await temporalOptions(address, config.temporalSecurity)
  const binary = await findTemporal({ dataDir: config.dataDir, onProgress: (text) => process.stderr.write(`${text}\n`) })
  const env = { ...process.env, ...itsEnvironment(options), TEMPORAL_NAMESPACE: config.temporalNamespace }
  const child = spawn(binary.path, process.argv.slice(2), { env, stdio: 'inherit' })
  child.once('error', endWith)
  child.once('exit', (code) => process.exit(code ?? 1))
}

/** Returns our settings under Temporal's names. Variables of ours with Temporal's names but another meaning are left out. */
function itsEnvironment({ address, tls, apiKey }: TemporalOptions): NodeJS.ProcessEnv {
  const ours = Object.fromEntries(Object.keys(TEMPORAL.shape).map((name) => [name, undefined]))
  if (tls === undefined) return { ...ours, TEMPORAL_ADDRESS: address }
  return {
    ...ours,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_API_KEY: apiKey,
    TEMPORAL_TLS: 'true',
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: String(tls.serverRootCACertificate),
    TEMPORAL_TLS_SERVER_NAME: tls.serverNameOverride,
    TEMPORAL_TLS_CLIENT_CERT_DATA: tls.clientCertPair && String(tls.clientCertPair.crt),
    TEMPORAL_TLS_CLIENT_KEY_DATA: tls.clientCertPair && String(tls.clientCertPair.key),
  }
}

main().catch(endWith)

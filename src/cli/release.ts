import { connectTemporalClient } from '../adapters/temporal/temporalClient.ts'
import { temporalOptions } from '../adapters/temporal/temporalOptions.ts'
import { currentRelease, makeCurrent } from '../adapters/temporal/workerReleases.ts'
import { ConfigFault, readConfig } from '../config/index.ts'
import { endWith } from './endWith.ts'

const USAGE = 'Usage: npm run -s release [-- <build id>]; without a build id it prints the current release.'

/** `npm run -s release -- <build id>`: gives the runs of every order to the workers of that release (docs/operate/upgrade.md). */
async function main([buildId, ...rest]: string[]): Promise<void> {
  if (rest.length > 0 || buildId?.startsWith('-')) throw new ConfigFault(USAGE)
  const { temporalAddress: address, temporalNamespace: namespace, temporalSecurity } = readConfig()
  if (address === undefined) throw new ConfigFault('TEMPORAL_ADDRESS must be set: the workers of the embedded Temporal have no release.')
  const connection = await connectTemporalClient(await temporalOptions(address, temporalSecurity))
  try {
    if (buildId !== undefined) await makeCurrent(connection.workflowService, namespace, buildId)
    const current = await currentRelease(connection.workflowService, namespace)
    process.stdout.write(`${current ?? 'No release is the current one: runs are given to workers without WORKER_BUILD_ID.'}\n`)
  } finally {
    await connection.close()
  }
}

main(process.argv.slice(2)).catch(endWith)

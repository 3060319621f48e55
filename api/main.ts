import { createHttpTerminator } from 'http-terminator'
import { pino } from 'pino'
import { checkStores } from '../src/adapters/files/objectStorage/stores.ts'
import { listen } from '../src/adapters/http/listen.ts'
import { ConfigFault, readConfig } from '../src/config/index.ts'
import { measurePool } from '../src/metrics/pool.ts'
import { serveMetrics } from '../src/metrics/serveMetrics.ts'
import { startTracing } from '../src/metrics/tracing.ts'
import { shareFileStores } from '../src/operations/drops/shareFileStores.ts'
import { databaseFault } from '../src/store/connection/databaseFault.ts'
import { isRoleLeavable } from '../src/store/connection/leavableRole.ts'
import { ScopeKeyFault } from '../src/store/connection/scopeKey.ts'
import { sharedPool } from '../src/store/connection/tenantScope.ts'
import { SecretsKeyFault } from '../src/store/tenants/secrets.ts'
import { createApp } from './app.ts'
import { openDeps } from './deps.ts'
import { markOf } from './endpoints/sandbox/mode.ts'
import { createApiServer } from './http/server.ts'

/** The API process. It needs only Postgres, serves /v1 until it is stopped, and never connects to Temporal. */
async function main(): Promise<void> {
  const config = readConfig()
  const log = pino({ level: config.logLevel, base: { room: 'api' }, timestamp: pino.stdTimeFunctions.isoTime })
  const metrics = await serveMetrics(config)
  const tracing = await startTracing(config, 'api', log)
  const deps = await openDeps(config, { log, threads: { publishes: 2, others: 1, env: process.env } })
  measurePool(sharedPool(deps.db.pool))
  await checkStores(deps, (sentence) => log.warn(sentence))
  const sharing = await shareFileStores({ config, databaseUrl: deps.db.url, stores: deps, log })
  if (await isRoleLeavable(deps.db))
    log.warn(
      'the database user has more privileges than the API needs; give the API its own user (docs/operate/postgres.md, A user for the API)',
    )
  const server = createApiServer(createApp(deps, log), { ...config.connections, exempt: config.trustedProxies, mark: markOf(config) })
  const terminator = createHttpTerminator({ server, gracefulTerminationTimeout: graceMs() })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    deps.feedWatch.close() // answers all requests that wait for an event
    await terminator.terminate()
    await Promise.all([deps.close(), sharing.close()])
    await tracing?.close()
    await metrics?.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => void stop())
  if (process.connected === false) return stop() // the parent process ended before this process could listen for it
  await listen(server, config.port, config.host).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new ConfigFault(`The API cannot listen at ${config.host}, port ${config.port} (${code ?? message}); correct HOST or PORT.`)
  })
  for (const each of Object.values(deps.bodyThreads ?? {})) each.warm()
  log.info({ host: config.host, port: config.port }, 'the API listens')
  metrics?.ready()
  process.send?.({ ready: true, port: config.port })
}

/** Returns the time for a stop: a supervisor on this machine kills after seconds, but a cluster waits longer. */
function graceMs(): number {
  return process.send === undefined ? 20_000 : 5_000
}

function fail(error: unknown): never {
  const sentence =
    error instanceof ConfigFault || error instanceof SecretsKeyFault || error instanceof ScopeKeyFault
      ? error.message
      : databaseFault(error)
  process.stderr.write(`${sentence ?? String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

main().catch(fail)

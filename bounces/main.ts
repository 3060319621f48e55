import { pino } from 'pino'
import { secretsKeys } from '../src/adapters/keys/secretsKey.ts'
import { ConfigFault, readConfig } from '../src/config/index.ts'
import { measurePool } from '../src/metrics/pool.ts'
import { serveMetrics } from '../src/metrics/serveMetrics.ts'
import { openTenantDatabase } from '../src/store/connection/database.ts'
import { databaseFault } from '../src/store/connection/databaseFault.ts'
import { admitScopeKey, ScopeKeyFault, scopeKey } from '../src/store/connection/scopeKey.ts'
import { sharedPool } from '../src/store/connection/tenantScope.ts'
import { requireSchema } from '../src/store/migrations/requireSchema.ts'
import { platformKey } from '../src/store/tenants/platformKey.ts'
import { bounceServer } from './server.ts'

/** The bounce process, which takes bounces of order mails until it is stopped. It needs only Postgres. */
async function main(): Promise<void> {
  const config = readConfig()
  const log = pino({ level: config.logLevel, base: { room: 'bounces' }, timestamp: pino.stdTimeFunctions.isoTime })
  const metrics = await serveMetrics(config)
  const port = required(config.mailInboundPort, 'MAIL_INBOUND_PORT')
  const domain = required(config.mailBounceDomain, 'MAIL_BOUNCE_DOMAIN')
  const key = scopeKey((await secretsKeys(config))()[0])
  // Opens the database for no tenant: strangers talk to this process, and it needs only a single function of the database.
  const db = openTenantDatabase(required(config.databaseUrl, 'DATABASE_URL'), key, { process: 'bounces', max: 2 })
  measurePool(sharedPool(db.pool))
  await requireSchema(db)
  await admitScopeKey(db, key)
  const server = bounceServer({ db, log, domain, key: await platformKey(db, 'bounce') })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await server.close()
    await db.close()
    await metrics?.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => void stop())
  if (process.connected === false) return stop() // the parent process ended before this process could listen for it
  await server.listen(port, config.host).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new ConfigFault(
      `The bounce server cannot listen at ${config.host}, port ${port} (${code ?? message}); correct HOST or MAIL_INBOUND_PORT.`,
    )
  })
  log.info({ host: config.host, port, domain }, 'the bounce server listens')
  metrics?.ready()
  process.send?.({ ready: true })
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new ConfigFault(`${name} must be set for a bounce server that runs alone.`)
  return value
}

main().catch((error) => {
  const sentence = error instanceof ConfigFault || error instanceof ScopeKeyFault ? error.message : databaseFault(error)
  process.stderr.write(`${sentence ?? String(error?.stack ?? error)}\n`)
  process.exit(1)
})

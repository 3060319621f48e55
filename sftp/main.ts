import { join } from 'node:path'
import { pino } from 'pino'
import { checkStorage } from '../src/adapters/files/objectStorage/stores.ts'
import { openObjectStorage } from '../src/adapters/files/objectStorage.ts'
import { secretsKeys } from '../src/adapters/keys/secretsKey.ts'
import { readSftpHostKeys } from '../src/adapters/keys/sftpHostKey.ts'
import { ConfigFault, readConfig } from '../src/config/index.ts'
import { measurePool } from '../src/metrics/pool.ts'
import { serveMetrics } from '../src/metrics/serveMetrics.ts'
import { shareFileStores } from '../src/operations/drops/shareFileStores.ts'
import { openTenantDatabase } from '../src/store/connection/database.ts'
import { databaseFault } from '../src/store/connection/databaseFault.ts'
import { admitScopeKey, ScopeKeyFault, scopeKey } from '../src/store/connection/scopeKey.ts'
import { sharedPool } from '../src/store/connection/tenantScope.ts'
import { requireSchema } from '../src/store/migrations/requireSchema.ts'
import { refusedSignIns } from '../src/store/tenants/refusedSignIns.ts'
import { madeFolders } from './madeFolders.ts'
import { sftpServer } from './server.ts'
import { openSpool } from './spool.ts'

/** Shorter than the supervisor waits before it kills: `STOP_MS` in src/local/embedded/keepRunning.ts. */
const GRACE_MS = 2_500

/** The SFTP process, which serves sellers until it is stopped. It needs Postgres and the store of drops. */
async function main(): Promise<void> {
  const config = readConfig()
  const log = pino({ level: config.logLevel, base: { room: 'sftp' }, timestamp: pino.stdTimeFunctions.isoTime })
  const metrics = await serveMetrics(config)
  const port = required(config.sftpPort, 'SFTP_PORT')
  const databaseUrl = required(config.databaseUrl, 'DATABASE_URL')
  const hostKeys = await readSftpHostKeys(config)
  const key = scopeKey((await secretsKeys(config))()[0])
  const db = openTenantDatabase(databaseUrl, key, { process: 'sftp', max: 4 })
  measurePool(sharedPool(db.pool))
  await requireSchema(db)
  await admitScopeKey(db, key)
  const drops = openObjectStorage(config.drops, config)
  await checkStorage(drops, 'DROPS_URL', (sentence) => log.warn(sentence))
  const sharing = await shareFileStores({ config, databaseUrl, stores: { drops }, log })
  const signIns = refusedSignIns(db, { via: 'sftp' })
  const server = sftpServer(
    {
      db,
      log,
      refusedSignIns: signIns,
      drops,
      spool: openSpool(join(config.dataDir, 'sftp', '.incoming'), config.sftpSpoolBytes),
      folders: madeFolders(),
      dropsPerDay: config.dropsPerDay,
      dropBytesPerSeller: config.dropBytesPerSeller,
    },
    hostKeys.map(({ privateKey }) => privateKey),
  )

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await server.close(GRACE_MS)
    await signIns.close()
    drops.close()
    await Promise.all([db.close(), sharing.close()])
    await metrics?.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => void stop())
  if (process.connected === false) return stop() // the parent process ended before this process could listen for it
  await server.listen(port, config.host).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new ConfigFault(`The SFTP server cannot listen at ${config.host}, port ${port} (${code ?? message}); correct HOST or SFTP_PORT.`)
  })
  const fingerprints = hostKeys.map(({ type, fingerprint }) => `${type} ${fingerprint}`)
  log.info({ host: config.host, port, fingerprint: hostKeys[0]?.fingerprint, fingerprints }, 'the SFTP server listens')
  metrics?.ready()
  process.send?.({ ready: true })
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new ConfigFault(`${name} must be set for an SFTP server that runs alone.`)
  return value
}

main().catch((error) => {
  const sentence = error instanceof ConfigFault || error instanceof ScopeKeyFault ? error.message : databaseFault(error)
  process.stderr.write(`${sentence ?? String(error?.stack ?? error)}\n`)
  process.exit(1)
})

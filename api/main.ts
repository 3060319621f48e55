import { join } from 'node:path'
import { createHttpTerminator } from 'http-terminator'
import { pino } from 'pino'
import { directoryStorage } from '../src/adapters/objectStorage.ts'
import { openOutbound } from '../src/adapters/outboundCall.ts'
import { secretsKeys } from '../src/adapters/secretsKey.ts'
import { openQueueBroker } from '../src/adapters/tenantQueue.ts'
import { ConfigFault, readConfig } from '../src/config.ts'
import { openLanes } from '../src/pull/lanes.ts'
import { openDatabase } from '../src/store/database.ts'
import { databaseFault } from '../src/store/databaseFault.ts'
import { watchFeed } from '../src/store/feedWatch.ts'
import { openOrderLog } from '../src/store/orderLog.ts'
import { outboxBell } from '../src/store/outbox.ts'
import { platformKey } from '../src/store/platformKey.ts'
import { openSecrets, SecretsKeyFault, UNREADABLE_SECRET } from '../src/store/secrets.ts'
import { createApp } from './app.ts'
import { answerBrokenHttp } from './brokenHttp.ts'
import { BODY_BYTES, byteBudget, REPLY_BYTES } from './byteBudget.ts'
import { refusedSignIns } from './refusedSignIns.ts'

/** The API process: told where Postgres is, it serves /v1 until it is stopped. It never speaks to Temporal. */
async function main(): Promise<void> {
  const config = readConfig()
  if (config.databaseUrl === undefined)
    throw new ConfigFault('DATABASE_URL must be set for the API alone; npm start brings a database of its own.')
  const log = pino({ level: config.logLevel, base: { room: 'api' }, timestamp: pino.stdTimeFunctions.isoTime })
  const db = openDatabase(config.databaseUrl)
  const bell = outboxBell(db.pool)
  const feedWatch = watchFeed(db)
  const committed = () => {
    bell.ring()
    feedWatch.ring()
  }
  const deps = {
    db,
    orders: openOrderLog(db, committed),
    feedWatch,
    broker: config.amqpUrl === undefined ? undefined : openQueueBroker(config.amqpUrl),
    mode: config.mode,
    cursorKey: await platformKey(db, 'cursor'),
    rateLimits: config.rateLimits,
    bodyBytes: byteBudget(BODY_BYTES, config.bodyBytes),
    replyBytes: byteBudget(REPLY_BYTES, config.replyBytes),
    objects: directoryStorage(join(config.dataDir, 'objects')),
    uploads: config.uploads,
    productsPerSeller: config.productsPerSeller,
    holdBounds: config.holdBounds,
    secrets: await openSecrets(db, await secretsKeys(config), (place) => log.error({ place }, UNREADABLE_SECRET)),
    allowLoopbackTargets: config.allowLoopbackTargets,
    trustedProxies: config.trustedProxies,
    refusedSignIns: refusedSignIns(db),
    outbound: openOutbound({ allowLoopback: config.allowLoopbackTargets }),
    holdLanes: openLanes({ perBuyer: 8, waiting: 64 }),
  }
  const server = createApp(deps, log).listen(config.port, config.host)
  answerBrokenHttp(server)
  server.headersTimeout = 10_000
  server.requestTimeout = 300_000 // for the content of an upload; the app gives other bodies less
  server.keepAliveTimeout = 65_000
  const terminator = createHttpTerminator({ server, gracefulTerminationTimeout: 5_000 })

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    feedWatch.close() // who waits for an event is answered now
    await terminator.terminate()
    await deps.outbound.close()
    deps.broker?.close()
    await deps.refusedSignIns.close()
    await db.close()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.on(signal, () => void stop())
  if (process.connected === false) return stop() // whoever started us ended before we listened for it
  server.on('error', ({ code, message }: NodeJS.ErrnoException) =>
    fail(new ConfigFault(`The API cannot listen at ${config.host}, port ${config.port} (${code ?? message}); correct HOST or PORT.`)),
  )
  server.on('listening', () => {
    log.info({ host: config.host, port: config.port }, 'the API listens')
    process.send?.({ ready: true, port: config.port })
  })
}

function fail(error: unknown): never {
  const sentence = error instanceof ConfigFault || error instanceof SecretsKeyFault ? error.message : databaseFault(error)
  process.stderr.write(`${sentence ?? String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

main().catch(fail)

import { join } from 'node:path'
import type { Logger } from 'pino'
import { closeStores, openStores, type Stores } from '../src/adapters/objectStorage/stores.ts'
import { createOutboundClient } from '../src/adapters/outboundCall.ts'
import { secretsKeys } from '../src/adapters/secretsKey.ts'
import { openQueueBroker } from '../src/adapters/tenantQueue.ts'
import { type Config, ConfigFault } from '../src/config.ts'
import { openLanes } from '../src/pull/lanes.ts'
import { openTenantDatabase } from '../src/store/connection/database.ts'
import { admitSightKey, sightKey } from '../src/store/connection/sightKey.ts'
import { watchFeed } from '../src/store/delivery/feedWatch.ts'
import { requireSchema } from '../src/store/migrations/requireSchema.ts'
import { openOrderLog } from '../src/store/orders/orderLog.ts'
import { outboxNotifier } from '../src/store/orders/outbox.ts'
import { platformKey } from '../src/store/tenants/platformKey.ts'
import { refusedSignIns } from '../src/store/tenants/refusedSignIns.ts'
import { openSecrets, UNREADABLE_SECRET } from '../src/store/tenants/secrets.ts'
import { BODY_BYTES, byteBudget, REPLY_BYTES, SPOOL_BYTES } from './byteBudget.ts'
import type { Deps } from './handler.ts'
import { BATCHES, PAGES, pageTurns } from './pageTurns.ts'
import { PATIENCE_MS } from './sendStream.ts'
import { SIGN_INS_PER_DAY } from './signInThrottle.ts'

export interface OpenDeps {
  readonly log: Pick<Logger, 'error'>
  /** The maximum number of connections to the database. */
  readonly connections?: number
  /** Called after each commit, in addition to this process's own reaction. */
  readonly committed?: () => void
}

/** Opens the handlers' dependencies as configured; `close` closes them. */
export async function openDeps(
  config: Config,
  { log, connections = 16, committed = () => undefined }: OpenDeps,
): Promise<Deps & Stores & { close(): Promise<void> }> {
  if (config.databaseUrl === undefined)
    throw new ConfigFault('DATABASE_URL must be set for the API alone; npm start brings a database of its own.')
  const keys = await secretsKeys(config)
  const ownSightKey = sightKey(keys()[0])
  const db = openTenantDatabase(config.databaseUrl, ownSightKey, { process: 'api', max: connections })
  await requireSchema(db)
  await admitSightKey(db, ownSightKey)
  const relays = outboxNotifier(db.pool)
  const feedWatch = watchFeed(db)
  const outbound = createOutboundClient({ allowLoopback: config.allowLoopbackTargets })
  const broker = config.amqpUrl === undefined ? undefined : openQueueBroker(config.amqpUrl)
  const signIns = refusedSignIns(db)
  const stores = openStores(config)
  return {
    db,
    orders: openOrderLog(db, () => {
      relays.notify()
      feedWatch.notify()
      committed()
    }),
    feedWatch,
    broker,
    mode: config.mode,
    publicUrl: config.publicUrl,
    tokenSessions: config.tokenSessions,
    temporalRuns: config.temporalRuns,
    mail: config.mail,
    mailbox: config.mailbox,
    cursorKey: await platformKey(db, 'cursor'),
    rateLimits: config.rateLimits,
    bodyBytes: byteBudget(BODY_BYTES, config.bodyBytes),
    replyBytes: byteBudget(REPLY_BYTES, config.replyBytes),
    spool: { folder: join(config.dataDir, 'replies'), bytes: byteBudget(SPOOL_BYTES, config.spoolBytes), patienceMs: PATIENCE_MS },
    pages: pageTurns(PAGES),
    batches: pageTurns(BATCHES),
    ...stores,
    uploads: config.uploads,
    dropsPerDay: config.dropsPerDay,
    dropBytesPerSeller: config.dropBytesPerSeller,
    productsPerSeller: config.productsPerSeller,
    signInsPerDay: SIGN_INS_PER_DAY,
    holdBounds: config.holdBounds,
    secrets: await openSecrets(db, keys, (place) => log.error({ place }, UNREADABLE_SECRET)),
    allowLoopbackTargets: config.allowLoopbackTargets,
    trustedProxies: config.trustedProxies,
    refusedSignIns: signIns,
    outbound,
    holdLanes: openLanes({ perBuyer: 8, waiting: 64 }),
    async close() {
      await outbound.close()
      broker?.close()
      await signIns.close()
      closeStores(stores)
      await db.close()
    },
  }
}

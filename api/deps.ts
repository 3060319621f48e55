import { join } from 'node:path'
import type { Logger } from 'pino'
import { closeStores, openStores, type Stores } from '../src/adapters/files/objectStorage/stores.ts'
import { createOutboundClient } from '../src/adapters/http/outboundCall.ts'
import { secretsKeys } from '../src/adapters/keys/secretsKey.ts'
import { openQueueBroker } from '../src/adapters/queue/tenantQueue.ts'
import { type Config, ConfigFault } from '../src/config/index.ts'
import { openSellerPermits } from '../src/operations/pull/sellerPermits.ts'
import { openTenantDatabase } from '../src/store/connection/database.ts'
import { admitScopeKey, scopeKey } from '../src/store/connection/scopeKey.ts'
import { watchFeed } from '../src/store/delivery/feedWatch.ts'
import { requireSchema } from '../src/store/migrations/requireSchema.ts'
import { openOrderLog } from '../src/store/orders/orderLog.ts'
import { outboxNotifier } from '../src/store/orders/outbox.ts'
import { platformKey } from '../src/store/tenants/platformKey.ts'
import { refusedSignIns } from '../src/store/tenants/refusedSignIns.ts'
import { openSecrets, UNREADABLE_SECRET } from '../src/store/tenants/secrets.ts'
import { openBodyThreads } from './http/bodyThreads.ts'
import { BODY_BYTES, byteBudget, REPLY_BYTES, SPOOL_BYTES } from './http/byteBudget.ts'
import type { Deps } from './http/handler.ts'
import { BATCHES, PAGES, pageTurns } from './http/pageTurns.ts'
import { refusedLog } from './http/refusedLog.ts'
import { PATIENCE_MS } from './http/sendStream.ts'
import { openOidc } from './signIn/oidcSignIn.ts'
import { SIGN_INS_PER_DAY } from './signIn/signInThrottle.ts'

/** What a process has beyond its configuration, and what a test replaces. */
export interface Overrides extends Partial<Pick<Deps, 'broker' | 'outbound' | 'signInsPerDay'>> {
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** The maximum number of connections to the database. */
  readonly connections?: number
  /** Called after each commit, in addition to this process's own reaction. */
  readonly committed?: () => void
  /** The most threads for bodies that take long to read, with the environment that they read the configuration from; by default none. */
  readonly threads?: { readonly publishes: number; readonly others: number; readonly env: NodeJS.ProcessEnv }
}

/** Opens the handlers' dependencies as configured, for the API's process, its threads and the tests; `close` closes them. */
export async function openDeps(
  config: Config,
  { log, connections = 16, committed = () => undefined, threads, ...replaced }: Overrides,
): Promise<Deps & Stores & { close(): Promise<void> }> {
  if (config.databaseUrl === undefined)
    throw new ConfigFault('DATABASE_URL must be set for the API alone; npm start brings a database of its own.')
  const keys = await secretsKeys(config)
  const ownScopeKey = scopeKey(keys()[0])
  const db = openTenantDatabase(config.databaseUrl, ownScopeKey, { process: 'api', max: connections })
  await requireSchema(db)
  await admitScopeKey(db, ownScopeKey)
  const relays = outboxNotifier(db.pool)
  const feedWatch = watchFeed(db)
  const outbound = replaced.outbound ?? createOutboundClient({ allowLoopback: config.allowLoopbackTargets })
  const queues = config.amqpUrl === undefined ? undefined : openQueueBroker(config.amqpUrl)
  const signIns = refusedSignIns(db)
  const refused = refusedLog(db)
  const stores = openStores(config)
  const bodyThreads = threads && openThreads(threads, log, () => feedWatch.notify())
  const away = (reason: string) => log.warn({ reason, issuer: config.signOn?.issuer }, 'the issuer of sign-on tokens cannot be read')
  const oidc = config.signOn && openOidc(config.signOn, away)
  return {
    db,
    orders: openOrderLog(db, () => {
      relays.notify()
      feedWatch.notify()
      committed()
    }),
    feedWatch,
    broker: queues,
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
    bodyThreads,
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
    refusedRequests: refused,
    oidc,
    outbound,
    holdPermits: openSellerPermits({ perBuyer: 8, waiting: 64 }),
    ...replaced,
    async close() {
      await Promise.all(Object.values(bodyThreads ?? {}).map((each) => each.close()))
      oidc?.issuer.close()
      await outbound.close()
      queues?.close()
      await signIns.close()
      await refused.close()
      closeStores(stores)
      await db.close()
    },
  }
}

function openThreads({ publishes, others, env }: Required<Overrides>['threads'], log: Pick<Logger, 'error'>, committed: () => void) {
  const failed = (err: Error) => log.error({ err }, 'a thread that reads bodies ended')
  const open = (threads: number) => openBodyThreads({ threads, env, committed, failed })
  return { publishes: open(publishes), others: open(others) }
}

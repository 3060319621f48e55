import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../../api/app.ts'
import { openBodyThreads } from '../../../api/bodyThreads.ts'
import { BODY_BYTES, byteBudget, REPLY_BYTES, SPOOL_BYTES } from '../../../api/byteBudget.ts'
import type { Deps } from '../../../api/handler.ts'
import { openOidc } from '../../../api/oidcSignIn.ts'
import { BATCHES, PAGES, pageTurns } from '../../../api/pageTurns.ts'
import { PATIENCE_MS } from '../../../api/sendStream.ts'
import { closeStores, openStores } from '../../../src/adapters/objectStorage/stores.ts'
import { createOutboundClient } from '../../../src/adapters/outboundCall.ts'
import { type Config, readConfig } from '../../../src/config.ts'
import type { CredentialSide } from '../../../src/contract/vocabulary/access.ts'
import { openLanes } from '../../../src/pull/lanes.ts'
import { openDatabase, openTenantDatabase } from '../../../src/store/connection/database.ts'
import { admitSightKey, sightKey } from '../../../src/store/connection/sightKey.ts'
import { watchFeed } from '../../../src/store/delivery/feedWatch.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { platformKey } from '../../../src/store/tenants/platformKey.ts'
import { refusedSignIns } from '../../../src/store/tenants/refusedSignIns.ts'
import { openSecrets } from '../../../src/store/tenants/secrets.ts'
import { cloneDatabase } from '../engines/database.ts'
import { temporaryFolder } from '../files/temporaryFolder.ts'

export interface TestApp {
  /** Bound to the app: `app.request.get('/v1/sellers').auth(app.tokens.buyers.acme, { type: 'bearer' })`. */
  readonly request: ReturnType<typeof supertest>
  readonly baseUrl: string
  readonly deps: Deps
  /** The cloned database, for another process or for queries as its owner. */
  readonly databaseUrl: string
  /** The data directory for another process, which then has the same `objects` as the app. */
  readonly dataDir: string
  /** The key with which its secrets are encrypted in the database. */
  readonly secretsKey: Buffer
  readonly tokens: {
    sellers: { cable: string; station: string }
    buyers: { acme: string; zenith: string }
    operators: { operations: string }
  }
  stop(): Promise<void>
}

/** A broker for tests that do not test it; test/worker/publishQueues.test.ts has a real one. */
const takesEveryQueue: NonNullable<Deps['broker']> = { declare: async () => undefined }

/** Settings of a mail server that does not exist, for tests that do not test sending. */
const LOCAL_MAIL = { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_TLS: 'off', MAIL_FROM: 'orders@marketplace.example' }

/** Starts the API on a separate database, with two sellers and two buyers; call `stop()` in afterAll. Nothing relays its outbox. */
export async function startApp({
  mode = 'sandbox',
  mail = mode === 'sandbox' ? readConfig(LOCAL_MAIL).mail : undefined,
  uploads = readConfig({}).uploads,
  broker = takesEveryQueue,
  productsPerSeller = readConfig({}).productsPerSeller,
  dropsPerDay = readConfig({}).dropsPerDay,
  dropBytesPerSeller = readConfig({}).dropBytesPerSeller,
  holdBounds = readConfig({}).holdBounds,
  signInsPerDay = 1_000,
  bodyBytes = readConfig({}).bodyBytes,
  replyBytes = readConfig({}).replyBytes,
  spoolBytes = readConfig({}).spoolBytes,
  trustedProxies,
  publicUrl,
  tokenSessions = false,
  nameServers,
  storeUrls = {},
  signOn,
}: Partial<
  Pick<
    Deps,
    | 'mode'
    | 'mail'
    | 'uploads'
    | 'dropsPerDay'
    | 'dropBytesPerSeller'
    | 'productsPerSeller'
    | 'holdBounds'
    | 'signInsPerDay'
    | 'trustedProxies'
    | 'publicUrl'
    | 'tokenSessions'
  > &
    Pick<Config, 'bodyBytes' | 'replyBytes' | 'spoolBytes' | 'signOn'> & {
      broker: NonNullable<Deps['broker']> | 'none'
      nameServers: readonly string[]
      /** The stores; separate directories by default. */
      storeUrls: { OBJECTS_URL?: string; DROPS_URL?: string }
    }
> = {}): Promise<TestApp> {
  const database = await cloneDatabase()
  const db = openDatabase(database.url, { max: 8 })
  const token = async (entity: string, side: CredentialSide) => (await issueCredential(db, { entity, side, kind: 'test' })).token
  const tokens = {
    sellers: { cable: await token('cable', 'seller'), station: await token('station', 'seller') },
    buyers: { acme: await token('acme', 'buyer'), zenith: await token('zenith', 'buyer') },
    operators: { operations: await token('operations', 'operator') },
  }
  const folder = await temporaryFolder()
  const secretsKey = randomBytes(32)
  const key = sightKey(secretsKey)
  const stores = openStores(readConfig({ DATA_DIR: folder.path, ...storeUrls }))
  const inSight = openTenantDatabase(database.url, key, { max: 8 })
  await admitSightKey(inSight, key)
  const feedWatch = watchFeed(inSight)
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    SECRETS_KEY: secretsKey.toString('base64'),
    MODE: mode,
    ...(mail && LOCAL_MAIL),
    PRODUCTS_PER_SELLER: String(productsPerSeller),
    DROPS_PER_DAY: String(dropsPerDay),
    DROP_BYTES_PER_SELLER: String(dropBytesPerSeller),
    AMQP_URL: broker === 'none' ? '' : 'amqp://nowhere',
    ...storeUrls,
  }
  const threads = openBodyThreads({ threads: 1, env, committed: () => feedWatch.notify(), failed: (error) => console.error(error) })
  const deps: Deps = {
    db,
    orders: openOrderLog(db, () => feedWatch.notify()),
    feedWatch,
    broker: broker === 'none' ? undefined : broker,
    mode,
    publicUrl,
    tokenSessions,
    temporalRuns: 'http://temporal.example/namespaces/default/workflows/',
    mail,
    mailbox: mode === 'sandbox' ? join(folder.path, 'mail') : undefined,
    cursorKey: await platformKey(db, 'cursor'),
    bodyBytes: byteBudget(BODY_BYTES, bodyBytes),
    replyBytes: byteBudget(REPLY_BYTES, replyBytes),
    spool: { folder: join(folder.path, 'replies'), bytes: byteBudget(SPOOL_BYTES, spoolBytes), patienceMs: PATIENCE_MS },
    pages: pageTurns(PAGES),
    batches: pageTurns(BATCHES),
    ...stores,
    bodyThreads: { publishes: threads, others: threads },
    uploads,
    dropsPerDay,
    dropBytesPerSeller,
    productsPerSeller,
    holdBounds,
    signInsPerDay,
    secrets: await openSecrets(db, () => [secretsKey]),
    allowLoopbackTargets: mode === 'sandbox',
    trustedProxies,
    refusedSignIns: refusedSignIns(inSight),
    oidc: signOn && openOidc(signOn, () => undefined),
    outbound: createOutboundClient({ allowLoopback: mode === 'sandbox', ...(nameServers && { nameServers }) }),
    holdLanes: openLanes({ perBuyer: 8, waiting: 64 }),
  }
  // The API is restricted to its caller's rows; the tests are not.
  const served = { ...deps, db: inSight, orders: openOrderLog(inSight, () => feedWatch.notify()) }
  const server = createServer(createApp(served, pino({ level: process.env.LOG_LEVEL ?? 'silent' })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    request: supertest(server),
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    deps,
    databaseUrl: database.url,
    dataDir: folder.path,
    secretsKey,
    tokens,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await threads.close()
      await deps.outbound.close()
      await deps.refusedSignIns.close()
      closeStores(stores)
      deps.oidc?.issuer.close()
      await Promise.all([db.close(), inSight.close()])
      await database.drop()
      await folder.remove()
    },
  }
}

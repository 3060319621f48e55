import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import supertest from 'supertest'
import { createApp } from '../../../api/app.ts'
import { openDeps } from '../../../api/deps.ts'
import type { Deps } from '../../../api/http/handler.ts'
import { createOutboundClient } from '../../../src/adapters/http/outboundCall.ts'
import { type Config, readConfig } from '../../../src/config/index.ts'
import type { CredentialSide } from '../../../src/contract/vocabulary/access.ts'
import { openDatabase } from '../../../src/store/connection/database.ts'
import { openOrderLog } from '../../../src/store/orders/orderLog.ts'
import { issueCredential } from '../../../src/store/tenants/credentials.ts'
import { markSandbox } from '../../../src/store/tenants/freshTenants.ts'
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

/** Settings of the API, of which most tests need none, and what takes the place of a neighbour. */
type Options = Partial<
  Pick<
    Config,
    | 'mode'
    | 'mail'
    | 'uploads'
    | 'dropsPerDay'
    | 'dropBytesPerSeller'
    | 'productsPerSeller'
    | 'holdBounds'
    | 'trustedProxies'
    | 'publicUrl'
    | 'tokenSessions'
    | 'bodyBytes'
    | 'replyBytes'
    | 'spoolBytes'
    | 'signOn'
  > &
    Pick<Deps, 'signInsPerDay'> & {
      broker: NonNullable<Deps['broker']> | 'none'
      nameServers: readonly string[]
      /** The stores; separate directories by default. */
      storeUrls: { OBJECTS_URL?: string; DROPS_URL?: string }
    }
>

/** Starts the API on a separate database, with two sellers and two buyers; call `stop()` in afterAll. Nothing relays its outbox. */
export async function startApp({
  mode = 'sandbox',
  broker = takesEveryQueue,
  signInsPerDay = 1_000,
  nameServers,
  storeUrls = {},
  ...settings
}: Options = {}): Promise<TestApp> {
  const database = await cloneDatabase()
  const db = openDatabase(database.url, { max: 8 })
  const token = async (entity: string, side: CredentialSide) => (await issueCredential(db, { entity, side, kind: 'test' })).token
  const tokens = {
    sellers: { cable: await token('cable', 'seller'), station: await token('station', 'seller') },
    buyers: { acme: await token('acme', 'buyer'), zenith: await token('zenith', 'buyer') },
    operators: { operations: await token('operations', 'operator') },
  }
  if (mode === 'sandbox') await markSandbox(db)
  const folder = await temporaryFolder()
  const secretsKey = randomBytes(32)
  const variables = {
    DATABASE_URL: database.url,
    DATA_DIR: folder.path,
    SECRETS_KEY: secretsKey.toString('base64'),
    MODE: mode,
    ...(mode === 'sandbox' || settings.mail ? LOCAL_MAIL : {}),
    ...storeUrls,
  }
  const config = { ...readConfig({ ...variables, RATE_LIMITS: 'off' }), ...settings, temporalRuns: TEMPORAL_RUNS }
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    ...variables,
    PRODUCTS_PER_SELLER: String(config.productsPerSeller),
    DROPS_PER_DAY: String(config.dropsPerDay),
    DROP_BYTES_PER_SELLER: String(config.dropBytesPerSeller),
    AMQP_URL: broker === 'none' ? '' : 'amqp://nowhere',
  }
  const log = pino({ level: process.env.LOG_LEVEL ?? 'silent' })
  // The API is restricted to its caller's rows; the tests are not.
  const served = await openDeps(config, {
    log,
    connections: 8,
    threads: { publishes: 1, others: 1, env },
    broker: broker === 'none' ? undefined : broker,
    signInsPerDay,
    outbound: createOutboundClient({ allowLoopback: config.allowLoopbackTargets, ...(nameServers && { nameServers }) }),
  })
  const deps: Deps = { ...served, db, orders: openOrderLog(db, () => served.feedWatch.notify()) }
  const server = createServer(createApp(served, log))
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
      await served.close()
      await db.close()
      await database.drop()
      await folder.remove()
    },
  }
}

/** Where the UI of a Temporal that does not exist shows its runs. */
const TEMPORAL_RUNS = 'http://temporal.example/namespaces/default/workflows/'

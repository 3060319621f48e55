import { join } from 'node:path'
import { readDkimKey } from '../adapters/dkimKey.ts'
import { checkStores, closeStores, openStores } from '../adapters/objectStorage/stores.ts'
import { processArguments } from '../adapters/ownModule.ts'
import { secretsKeys } from '../adapters/secretsKey.ts'
import { temporalOptions } from '../adapters/temporalOptions.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../store/connection/database.ts'
import { setSightKey, sightKey } from '../store/connection/sightKey.ts'
import { migrate } from '../store/migrations/migrate.ts'
import { openSecrets } from '../store/tenants/secrets.ts'
import { makeApiLogin } from './apiLogin.ts'
import { buildConsole } from './buildConsole.ts'
import { checkDatabase } from './checkDatabase.ts'
import { lockDataDir, openDataDir } from './dataDir.ts'
import { openIncarnations } from './incarnations.ts'
import { keepEngine } from './keepEngine.ts'
import { type KeptChild, keepRunning } from './keepRunning.ts'
import { startMailbox } from './mailbox.ts'
import { choosePort, holdPort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { awaitPredecessors } from './predecessors.ts'
import { type Credentials, seedSandbox } from './seedSandbox.ts'
import { chooseSftpEndpoint, type SftpEndpoint } from './sftpEndpoint.ts'
import { checkTemporal, startTemporal } from './temporal.ts'
import { findTemporal } from './temporalBinary.ts'

export type Marketplace = {
  /** Where the API is, without `/v1`. */
  baseUrl: string
  /** The web page of the embedded Temporal; null when another Temporal is used. */
  temporalUi: string | null
  databaseUrl: string
  temporalAddress: string
  /** Undefined where no SFTP server runs. */
  sftp: SftpEndpoint | undefined
  /** The credentials of the sandbox's tenants; undefined in production. */
  credentials: Credentials | undefined
  stop(): Promise<void>
}

export type MarketplaceOptions = {
  onProgress?: (text: string) => void
  /** Every line that the children write. */
  onOutput?: (name: Child, line: string) => void
  /** Aborts the startup and stops what is already running. */
  signal?: AbortSignal
}

/** What runs beside the engines, each a program of its own. */
type Child = 'api' | 'worker' | 'sftp' | 'bounces'
type Stop = () => Promise<void>

/** Starts everything on one machine: engines, schema, sandbox tenants, API, worker, SFTP server and bounce server. Fails with a StartupError and leaves nothing running. */
export async function startMarketplace(config: Config, options: MarketplaceOptions = {}): Promise<Marketplace> {
  const stops: Stop[] = []
  // The last that was started is the first to stop: the children, then Temporal, then Postgres.
  const stop = once(async () => {
    for (const stopOne of stops.reverse()) await stopOne()
  })
  try {
    return { ...(await start(config, options, stops)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  config: Config,
  { onProgress = () => undefined, onOutput = () => undefined, signal = new AbortController().signal }: MarketplaceOptions,
  stops: Stop[],
) {
  const dataDir = await openDataDir(config.dataDir)
  const lock = await lockDataDir(dataDir, onProgress)
  stops.push(lock.release)
  // Before the ports are looked at: the API of a supervisor that was killed holds its own until it has stopped.
  const children = await openIncarnations(join(dataDir, 'children'))
  await awaitPredecessors(children, { onProgress, signal })
  // Runs before anything slow, so that an unavailable port is reported immediately.
  const port = await choosePort({
    setting: 'PORT',
    askedFor: config.portAskedFor ? config.port : undefined,
    remembered: isForAnother(config.port, config) ? undefined : config.port,
    host: config.host,
  })
  const host = reachable(config.host)
  const sftp = await chooseSftpEndpoint({ ...config, dataDir }, host.replace(/^\[|]$/g, ''))
  const bouncePort =
    config.mailInboundPort && (await choosePort({ setting: 'MAIL_INBOUND_PORT', askedFor: config.mailInboundPort, host: config.host }))
  const releasePorts: Stop[] = []
  for (const one of [port, sftp?.port, bouncePort]) if (one !== undefined) releasePorts.push(await holdPort(one, config.host))
  stops.push(...releasePorts)
  const baseUrl = `http://${host}:${port}`

  if (config.mail !== undefined) await readDkimKey(config.mail)
  const stores = openStores(config)
  await checkStores(stores, onProgress).finally(() => closeStores(stores))

  const engines: Engines = { config: { ...config, dataDir }, onProgress, signal }
  const [postgres, temporal, mail] = await Promise.allSettled([bringUpPostgres(engines), bringUpTemporal(engines), bringUpMail(engines)])
  for (const engine of [mail, postgres, temporal]) if (engine.status === 'fulfilled') stops.push(engine.value.stop)
  if (postgres.status === 'rejected') throw postgres.reason
  if (temporal.status === 'rejected') throw temporal.reason
  if (mail.status === 'rejected') throw mail.reason
  signal.throwIfAborted()
  const databaseUrl = postgres.value.url
  const { address: temporalAddress, ui: temporalUi } = temporal.value

  onProgress('Bringing the schema up to date ...')
  const applied = await migrate(databaseUrl, () => signal.throwIfAborted())
  if (applied.length > 0) onProgress(`Applied ${applied.length} migrations, the last one ${applied.at(-1)}.`)
  const credentials = config.mode === 'sandbox' ? await seedSandbox({ databaseUrl, dataDir, baseUrl, temporalUi, sftp }) : undefined
  await checkSecretsKey(databaseUrl, { ...config, dataDir })
  signal.throwIfAborted()

  const servers = [
    'the API',
    ...(sftp === undefined ? [] : ['the SFTP server']),
    ...(bouncePort === undefined ? [] : ['the bounce server']),
  ]
  onProgress(`Starting ${servers.join(', ')} and the worker ...`)
  const settings = {
    ...config,
    dataDir,
    port,
    temporalAddress,
    temporalUi: config.temporalUi ?? temporalUi ?? undefined,
    sftpPort: sftp?.port,
  }
  const tenantsUrl = await apiUrl(config, databaseUrl)
  const portsOfMetrics = metricsPorts(config.metricsPort)
  const urls = { api: tenantsUrl, worker: databaseUrl, sftp: tenantsUrl, bounces: tenantsUrl }
  for (const release of releasePorts) await release()
  const onStart = (pid: number) => void children.add(pid).catch(() => undefined)
  const keep = (name: Child, shown: string) =>
    keepRunning({
      name: shown,
      args: processArguments({ path: `../../${name}/main`, from: import.meta.url }),
      env: { ...childEnvironment({ ...settings, databaseUrl: urls[name] }), ...mail.value.env, METRICS_PORT: portsOfMetrics[name] },
      onProgress,
      onOutput: (line) => onOutput(name, line),
      onStart,
    })
  const kept = [keep('api', 'API'), keep('worker', 'worker')]
  if (sftp !== undefined) kept.push(keep('sftp', 'SFTP server'))
  if (bouncePort !== undefined) kept.push(keep('bounces', 'bounce server'))
  stops.push(async () => {
    await Promise.all(kept.map((child) => child.stop()))
  })
  stops.push(lock.ending)
  await readyOrAborted(kept, signal)
  if (config.buildsConsole) stops.push(buildInBackground(onProgress))
  return { baseUrl, temporalUi, databaseUrl, temporalAddress, sftp, credentials }
}

/** These ports are bound before the API binds its own. */
function isForAnother(port: number, { postgresPort, temporalPort, temporalUiPort, mailInboundPort }: Config): boolean {
  return [postgresPort, temporalPort, temporalUiPort, mailInboundPort].includes(port)
}

type Engines = { config: Config; onProgress: (text: string) => void; signal: AbortSignal }

async function bringUpPostgres({ config, onProgress }: Engines): Promise<{ url: string; stop: Stop }> {
  if (config.databaseUrl !== undefined) {
    await checkDatabase(config.databaseUrl)
    return { url: config.databaseUrl, stop: async () => undefined }
  }
  onProgress('Starting PostgreSQL ...')
  const { dataDir } = config
  const first = await startPostgres({ dataDir, port: config.postgresPort })
  const kept = keepEngine('PostgreSQL', first, ({ port }) => startPostgres({ dataDir, port }), onProgress)
  return { url: first.url, stop: kept.stop }
}

/** The database URL for work in the name of tenants: a login of its own on the embedded database, the configured one elsewhere. */
async function apiUrl({ databaseUrl: foreign, apiDatabaseUrl }: Config, databaseUrl: string): Promise<string> {
  return foreign === undefined ? makeApiLogin(databaseUrl) : (apiDatabaseUrl ?? databaseUrl)
}

async function bringUpTemporal({ config, onProgress, signal }: Engines): Promise<{ address: string; ui: string | null; stop: Stop }> {
  const { dataDir, temporalNamespace: namespace } = config
  if (config.temporalAddress !== undefined) {
    await checkTemporal(await temporalOptions(config.temporalAddress, config.temporalSecurity), namespace)
    return { address: config.temporalAddress, ui: null, stop: async () => undefined }
  }
  const binary = await findTemporal({ dataDir, onProgress, signal })
  onProgress(`Starting Temporal from ${binary.from} ...`)
  const wish = { binary: binary.path, dataDir, namespace }
  const first = await startTemporal({ ...wish, port: config.temporalPort, uiPort: config.temporalUiPort })
  const kept = keepEngine('Temporal', first, ({ port, uiPort }) => startTemporal({ ...wish, port, uiPort }), onProgress)
  return { address: first.address, ui: first.ui, stop: kept.stop }
}

/** In the sandbox mails go to a mailbox of its own, unless a mail server is set. */
async function bringUpMail({ config }: Engines): Promise<{ env: NodeJS.ProcessEnv; stop: Stop }> {
  if (config.mail !== undefined || config.mailbox === undefined) return { env: {}, stop: async () => undefined }
  const { url, stop } = await startMailbox(config.mailbox)
  return { env: { SMTP_URL: url, SMTP_TLS: 'off', MAIL_FROM: config.mailFrom ?? 'orders@marketplace.example' }, stop }
}

/** Checks the key here, so that the fault is reported once. Otherwise the API and the worker would both stop with it. */
async function checkSecretsKey(databaseUrl: string, config: Config): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    const keys = await secretsKeys(config)
    await openSecrets(db, keys)
    await setSightKey(db, sightKey(keys()[0]))
  } finally {
    await db.close()
  }
}

/** One port for the metrics of each child, two for the worker. Empty: not set. */
function metricsPorts(first: number | undefined): Record<Child, string> {
  const at = (offset: number) => (first === undefined ? '' : String(first + offset))
  return { api: at(0), worker: at(1), sftp: at(3), bounces: at(4) }
}

/** The whole environment of a child, so that it reads the same settings as we, with the engines filled in. */
function childEnvironment(settings: Config & { databaseUrl: string; temporalAddress: string }): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATABASE_URL: settings.databaseUrl,
    API_DATABASE_URL: '',
    TEMPORAL_ADDRESS: settings.temporalAddress,
    TEMPORAL_NAMESPACE: settings.temporalNamespace,
    TEMPORAL_UI_URL: settings.temporalUi ?? '',
    PORT: String(settings.port),
    HOST: settings.host,
    SFTP_PORT: settings.sftpPort === undefined ? '' : String(settings.sftpPort),
    MODE: settings.mode,
    ALLOW_LOOPBACK_TARGETS: String(settings.allowLoopbackTargets),
    LOG_LEVEL: settings.logLevel,
    DATA_DIR: settings.dataDir,
    // For the embedded engines alone; a child that checks these ports would find them taken by the engines.
    POSTGRES_PORT: '',
    TEMPORAL_PORT: '',
    TEMPORAL_UI_PORT: '',
  }
}

/** Nothing waits for the console, and a failed build ends nothing. */
function buildInBackground(onProgress: (text: string) => void): Stop {
  const stopping = new AbortController()
  const done = buildConsole({ onProgress, signal: stopping.signal }).catch((error: Error) =>
    onProgress(`The console was not built (${error.message}).`),
  )
  return async () => {
    stopping.abort()
    await done
  }
}

async function readyOrAborted(children: KeptChild[], signal: AbortSignal): Promise<void> {
  const aborted = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
  })
  aborted.catch(() => undefined)
  await Promise.race([aborted, Promise.all(children.map(({ ready }) => ready))])
}

/** A wildcard address is reached from here as the loopback address. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function once(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= act()
    return running
  }
}

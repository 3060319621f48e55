import { join } from 'node:path'
import { checkStores, closeStores, openStores } from '../../adapters/files/objectStorage/stores.ts'
import { secretsKeys } from '../../adapters/keys/secretsKey.ts'
import { readDkimKey } from '../../adapters/mail/dkimKey.ts'
import { temporalOptions } from '../../adapters/temporal/temporalOptions.ts'
import type { Config } from '../../config/index.ts'
import { shareFileStores } from '../../operations/drops/shareFileStores.ts'
import { openDatabase } from '../../store/connection/database.ts'
import { scopeKey, setScopeKey } from '../../store/connection/scopeKey.ts'
import { migrate } from '../../store/migrations/migrate.ts'
import { openSecrets } from '../../store/tenants/secrets.ts'
import { makeApiLogin } from './apiLogin.ts'
import { buildConsole } from './buildConsole.ts'
import { checkDatabase } from './checkDatabase.ts'
import { lockDataDir, openDataDir } from './dataDir.ts'
import { openIncarnations } from './incarnations.ts'
import { keepEngine } from './keepEngine.ts'
import { keepNamespace } from './keepNamespace.ts'
import { startMailbox } from './mailbox.ts'
import { startPostgres } from './postgres.ts'
import { awaitPredecessors } from './predecessors.ts'
import { keepProcesses, type Process, readyOrAborted } from './processes.ts'
import type { SftpEndpoint } from './seedSandbox.ts'
import { type Credentials, seedSandbox } from './seedSandbox.ts'
import { chooseServerPorts } from './serverPorts.ts'
import { checkTemporal, startTemporal } from './temporal.ts'
import { findTemporal } from './temporalBinary.ts'

export type Marketplace = {
  /** The URL of the API, without `/v1`. */
  baseUrl: string
  /** The web page of the embedded Temporal; null if another Temporal is used. */
  temporalUi: string | null
  databaseUrl: string
  temporalAddress: string
  /** Undefined if no SFTP server runs. */
  sftp: SftpEndpoint | undefined
  /** The credentials of the sandbox's tenants; undefined in production. */
  credentials: Credentials | undefined
  stop(): Promise<void>
}

export type MarketplaceOptions = {
  onProgress?: (text: string) => void
  /** Called with every line that the processes write. */
  onOutput?: (name: Process, line: string) => void
  /** Aborting it ends the startup and stops everything already running. */
  signal?: AbortSignal
}

type Stop = () => Promise<void>

/** Starts everything on one machine: engines, schema, sandbox tenants, API, worker, SFTP server and bounce server. Fails with a StartupError and leaves nothing running. */
export async function startMarketplace(config: Config, options: MarketplaceOptions = {}): Promise<Marketplace> {
  const stops: Stop[] = []
  // Stops in reverse order of the start: the processes, then Temporal, then Postgres.
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
  // Runs before the ports are checked, since the API of a killed supervisor keeps its own port until it has stopped.
  const children = await openIncarnations(join(dataDir, 'children'))
  await awaitPredecessors(children, { onProgress, signal })
  // Runs before anything slow, so that an unavailable port is reported immediately.
  const ports = await chooseServerPorts({ ...config, dataDir })
  stops.push(ports.release)
  const { port, baseUrl, sftp } = ports

  if (config.mail !== undefined) await readDkimKey(config.mail)
  const stores = openStores(config)
  stops.push(async () => closeStores(stores))
  await checkStores(stores, onProgress)

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
  const credentials =
    config.mode === 'sandbox'
      ? await seedSandbox({ databaseUrl, dataDir, baseUrl, temporalUi, sftp, parties: config.seed === 'catalogs' })
      : undefined
  await checkSecretsKey(databaseUrl, { ...config, dataDir })
  const sharing = await shareFileStores({ config, databaseUrl, stores, log: { error: onProgress } })
  await sharing.close() // the processes tell each other from now on
  signal.throwIfAborted()

  const tenantsUrl = await apiUrl(config, databaseUrl)
  await ports.release()
  const kept = keepProcesses({
    settings: { ...config, dataDir, port, temporalAddress, temporalUi: config.temporalUi ?? temporalUi ?? undefined, sftpPort: sftp?.port },
    urls: { api: tenantsUrl, worker: databaseUrl, sftp: tenantsUrl, bounces: tenantsUrl },
    env: mail.value.env,
    onProgress,
    onOutput,
    onStart: (pid) => void children.add(pid).catch(() => undefined),
  })
  stops.push(async () => {
    await Promise.all(kept.map((one) => one.stop()))
  })
  stops.push(lock.ending)
  await readyOrAborted(kept, signal)
  if (config.buildsConsole) stops.push(buildInBackground(onProgress))
  return { baseUrl, temporalUi, databaseUrl, temporalAddress, sftp, credentials }
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

/** Returns the database URL for work on behalf of tenants: a separate login on the embedded database, otherwise the configured one. */
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
  const spec = { binary: binary.path, dataDir, namespace }
  const first = await startTemporal({ ...spec, port: config.temporalPort, uiPort: config.temporalUiPort })
  const kept = keepEngine('Temporal', first, ({ port, uiPort }) => startTemporal({ ...spec, port, uiPort }), onProgress)
  const registered = keepNamespace(first.address, namespace, onProgress)
  return { address: first.address, ui: first.ui, stop: () => registered.stop().then(kept.stop) }
}

/** Starts the sandbox's own mailbox for its mails, unless a mail server is set. */
async function bringUpMail({ config }: Engines): Promise<{ env: NodeJS.ProcessEnv; stop: Stop }> {
  if (config.mail !== undefined || config.mailbox === undefined) return { env: {}, stop: async () => undefined }
  const { url, stop } = await startMailbox(config.mailbox)
  return { env: { SMTP_URL: url, SMTP_TLS: 'off', MAIL_FROM: config.mailFrom ?? 'orders@marketplace.example' }, stop }
}

/** Checks the key here, so that a fault is reported once instead of stopping both the API and the worker. */
async function checkSecretsKey(databaseUrl: string, config: Config): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 1 })
  try {
    const keys = await secretsKeys(config)
    await openSecrets(db, keys)
    await setScopeKey(db, scopeKey(keys()[0]))
  } finally {
    await db.close()
  }
}

/** Builds the console while nothing waits for it; a failed build ends nothing. */
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

function once(act: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= act()
    return running
  }
}

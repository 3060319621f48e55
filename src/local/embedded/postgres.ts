import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { asOwner } from '../../store/connection/asOwner.ts'
import { openDataDir } from './dataDir.ts'
import { startEngineProcess } from './engineProcess.ts'
import { choosePort, type PortRequest } from './ports.ts'
import { type PostgresBinaries, postgresBinaries, type RunAs } from './postgresBinaries.ts'
import { stopOrphans } from './postgresOrphans.ts'
import { StartupError } from './startupError.ts'
import { systemUser } from './systemUser.ts'

export type Postgres = {
  url: string
  port: number
  pid: number
  /** Calls back when the server ends without having been stopped. */
  onExit(listener: (why: string) => void): void
  stop(): Promise<void>
}

export type PostgresSpec = { dataDir: string; port?: number | undefined }

/** Starts PostgreSQL on 127.0.0.1 over `<dataDir>/postgres`, which is created on the first start and recovered on later ones. */
export async function startPostgres({ dataDir, port: askedFor }: PostgresSpec): Promise<Postgres> {
  const home = join(await openDataDir(dataDir), 'postgres')
  const data = join(home, 'data')
  await makeFolder(home, 0o700)
  // Postgres refuses to run as root.
  const runAs = process.getuid?.() === 0 ? await systemUser(data) : undefined
  await chownTo(home, runAs)
  const binaries = await postgresBinaries(runAs, join(dataDir, 'cache'))
  if (!(await stat(data).catch(() => undefined))) await initialize({ binaries, home, data, runAs })
  const password = (await readFile(join(home, 'password'), 'utf8')).trim()
  await stopOrphans(data)

  const remembered = Number(await readFile(join(home, 'port'), 'utf8').catch(() => '')) || undefined
  const running = await launch({
    binaries,
    data,
    runAs,
    log: join(dataDir, 'postgres.log'),
    password,
    portRequest: { askedFor, remembered, setting: 'POSTGRES_PORT' },
  })
  await writeFile(join(home, 'port'), `${running.port}\n`, { mode: 0o600 })
  try {
    await ensureDatabase(urlOf(running.port, password, 'postgres'))
  } catch (error) {
    await running.stop()
    throw error
  }
  return { ...running, url: urlOf(running.port, password, 'marketplace') }
}

async function chownTo(path: string, runAs: RunAs): Promise<void> {
  if (runAs) await chown(path, runAs.uid, runAs.gid)
}

/**
 * This name always gives access to the folder in which a process was started. The data directory of root may be inaccessible to the
 * database's user (below a home of mode 0700).
 */
const HERE = '/proc/self/cwd'

type Cluster = { binaries: PostgresBinaries; data: string; runAs: RunAs }

/** Creates the database under another name and then renames it, so that a start that is killed leaves no partial database. */
async function initialize({ binaries, home, data, runAs }: Cluster & { home: string }): Promise<void> {
  const part = join(home, 'data.new')
  const secret = join(home, 'password')
  await rm(part, { recursive: true, force: true })
  await mkdir(part, { mode: 0o700 })
  await chownTo(part, runAs)
  await writeFile(secret, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 })
  await chmod(secret, 0o600)
  await chownTo(secret, runAs)
  const byCwd = runAs && process.platform === 'linux'
  const where = byCwd ? ['-D', HERE, '--pwfile', `${HERE}/../password`] : ['-D', part, '--pwfile', secret]
  // Gives the same sort order on every machine, regardless of its locale.
  const order = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const run = spawn(binaries.initdb, [...where, '--username=postgres', '--auth=scram-sha-256', ...order], {
    ...runAs,
    cwd: part,
    env: plainEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let errors = ''
  run.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const code = await new Promise((done, fail) => run.once('close', done).once('error', fail))
  if (code !== 0) throw new StartupError(`The embedded PostgreSQL cannot make its files in ${home}: ${lastLine(errors)}`)
  await rename(part, data)
}

type LaunchSpec = Cluster & { log: string; password: string; portRequest: PortRequest }
type Running = Omit<Postgres, 'url'>

async function launch(spec: LaunchSpec): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(spec.portRequest)
    const outcome = await tryLaunch(spec, port)
    if (typeof outcome !== 'string') return outcome
    // The processes of a killed server may live on briefly, and a port may be taken between the check and the bind.
    const passing = /shared memory block|lock file "[^"\n]{1,300}" already exists|could not create any TCP\/IP sockets/.test(outcome)
    if (!passing || attempt === 20)
      throw new StartupError(`The embedded PostgreSQL does not start: ${lastFatal(outcome)} (see ${spec.log}).`)
    await sleep(250)
    await stopOrphans(spec.data)
  }
}

/** The signals of a stop: fast, then immediate (which recovers at the next start), then by force. */
const STOP: { signal: NodeJS.Signals; waitMs: number }[] = [
  { signal: 'SIGINT', waitMs: 1_800 },
  { signal: 'SIGQUIT', waitMs: 500 },
  { signal: 'SIGKILL', waitMs: 2_000 },
]

/** Returns the running server, or its output if it has ended. */
async function tryLaunch({ binaries, data, runAs, log, password }: LaunchSpec, port: number): Promise<Running | string> {
  const dir = runAs && process.platform === 'linux' ? HERE : data
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
  ]
  const args = ['-D', dir, ...settings.flatMap((setting) => ['-c', setting])]
  const server = await startEngineProcess({
    command: binaries.postgres,
    args,
    cwd: data,
    env: plainEnvironment(),
    log,
    runAs,
    lastSignal: 'SIGQUIT',
  })
  const stop = () => server.stop(STOP)

  const deadline = Date.now() + 60_000
  while (server.ended() === undefined && !(await accepts(urlOf(port, password, 'postgres')))) {
    if (Date.now() > deadline) {
      await stop()
      throw new StartupError(`The embedded PostgreSQL did not answer within 60 s; see ${log}.`)
    }
    await Promise.race([server.gone, sleep(30)])
  }
  const ended = server.ended()
  if (ended !== undefined) return (await server.said()) || ended
  return { port, pid: server.pid, stop, onExit: server.onExit }
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function ensureDatabase(adminUrl: string): Promise<void> {
  await asOwner(adminUrl, async (client) => {
    const { rowCount } = await client.query("select 1 from pg_database where datname = 'marketplace'")
    if (rowCount === 0) await client.query('create database marketplace')
  })
}

function urlOf(port: number, password: string, database: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/${database}`
}

/** Returns an environment without the caller's PG* variables, and with a locale that every machine has. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, SYSTEMROOT: process.env.SYSTEMROOT, LC_ALL: 'C' }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

function lastFatal(text: string): string {
  const fatal = text
    .split('\n')
    .filter((line) => /FATAL|PANIC/.test(line))
    .at(-1)
  return fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? lastLine(text)
}

/** Returns the URL of a data directory's database while the marketplace runs on it. Fails with a StartupError if there has been none. */
export async function postgresUrl(dataDir: string): Promise<string> {
  const home = join(dataDir, 'postgres')
  const read = (name: string) => readFile(join(home, name), 'utf8').then((text) => text.trim())
  try {
    return urlOf(Number(await read('port')), await read('password'), 'marketplace')
  } catch {
    throw new StartupError(`There is no database in ${dataDir}: start the marketplace first (npm start), or set DATABASE_URL or DATA_DIR.`)
  }
}

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, isGrpcServiceError } from '@temporalio/client'
import { connectTemporalClient } from '../../adapters/temporal/temporalClient.ts'
import type { TemporalOptions } from '../../adapters/temporal/temporalOptions.ts'
import { SEARCH_ATTRIBUTES } from '../../contract/vocabulary/searchAttributes.ts'
import { type EngineProcess, startEngineProcess } from './engineProcess.ts'
import { answers, choosePort } from './ports.ts'
import { endProcess, processesStartedWith, processIdentity } from './processIdentity.ts'
import { StartupError } from './startupError.ts'

export type Temporal = {
  address: string
  /** The web page of the server. */
  ui: string
  port: number
  uiPort: number
  pid: number
  /** Calls back when the server ends without having been stopped. */
  onExit(listener: (why: string) => void): void
  stop(): Promise<void>
}

export type TemporalSpec = {
  /** The path of the CLI, as `findTemporal` returns it. */
  binary: string
  dataDir: string
  namespace: string
  port?: number | undefined
  uiPort?: number | undefined
}

/** Starts Temporal's development server over `<dataDir>/temporal.db`. Workflows survive both a stop and a kill. */
export async function startTemporal(spec: TemporalSpec): Promise<Temporal> {
  // The server reads the name of its file as a URL, where ? or # ends the path and % escapes, so the file would be somewhere else.
  if (/[?#%]/.test(spec.dataDir))
    throw new StartupError(`DATA_DIR ${spec.dataDir} has a ?, # or % in its path; choose a directory without, or set TEMPORAL_ADDRESS.`)
  await stopOrphans(spec.dataDir)
  const last = await recallLastRun(spec.dataDir)
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort({ askedFor: spec.port, remembered: last.port, setting: 'TEMPORAL_PORT' })
    const uiPort = await choosePort({ askedFor: spec.uiPort, remembered: last.uiPort, setting: 'TEMPORAL_UI_PORT' })
    const server = await startEngineProcess({
      command: spec.binary,
      args: commandLine(spec, port, uiPort),
      cwd: spec.dataDir,
      env: plainEnvironment(),
      log: join(spec.dataDir, 'temporal.log'),
      lastSignal: 'SIGKILL',
    })
    await writeFile(join(spec.dataDir, RECORD), JSON.stringify({ port, uiPort }), { mode: 0o600 })
    const failure = await whenAnswering(server, port, spec.namespace)
    if (failure === undefined)
      return {
        address: `127.0.0.1:${port}`,
        ui: `http://127.0.0.1:${uiPort}`,
        port,
        uiPort,
        pid: server.pid,
        onExit: server.onExit,
        stop: () => server.stop(STOP),
      }
    // A port may be taken between the check and the server's bind.
    if (!/address already in use|can't set port|can't bind/i.test(failure) || attempt === 3)
      throw new StartupError(`The embedded Temporal does not start: ${failure} (see ${join(spec.dataDir, 'temporal.log')}).`)
    await sleep(250)
  }
}

/** Fails with one sentence unless the namespace is served there. Trusts a service that does not allow questions about its namespaces. */
export async function checkTemporal(options: TemporalOptions, namespace: string, connectMs?: number): Promise<void> {
  const { address } = options
  const connection = await connectTemporalClient(options, connectMs)
  try {
    await connection.workflowService.describeNamespace({ namespace })
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === NOT_FOUND)
      throw new StartupError(`The Temporal at ${address} has no namespace ${namespace}; create it or correct TEMPORAL_NAMESPACE.`)
  } finally {
    await connection.close()
  }
}

/** A status code of gRPC. */
const NOT_FOUND = 5

const RECORD = 'temporal.json'

const STOP: { signal: NodeJS.Signals; waitMs: number }[] = [
  { signal: 'SIGTERM', waitMs: 1_000 },
  { signal: 'SIGKILL', waitMs: 2_000 },
]

/** Returns the address of a data directory's Temporal while the marketplace runs on it. Fails with a StartupError if there was none. */
export async function temporalAddress(dataDir: string): Promise<string> {
  const { port } = await recallLastRun(dataDir)
  if (port !== undefined) return `127.0.0.1:${port}`
  throw new StartupError(
    `There is no Temporal in ${dataDir}: start the marketplace first (npm start), or set TEMPORAL_ADDRESS or DATA_DIR.`,
  )
}

/** Stops a server that outlived its supervisor, since it would write to the same file as the new one. */
async function stopOrphans(dataDir: string): Promise<void> {
  for (const pid of await processesStartedWith(['start-dev', `${databaseOf(dataDir)} `])) {
    const identity = await processIdentity(pid)
    if (identity && !(await endProcess(pid, identity, STOP)))
      throw new StartupError(
        `A Temporal server with process id ${pid} holds ${databaseOf(dataDir)} and cannot be stopped; stop it and start again.`,
      )
  }
}

function databaseOf(dataDir: string): string {
  return join(dataDir, 'temporal.db')
}

type LastRun = { port?: number; uiPort?: number }

async function recallLastRun(dataDir: string): Promise<LastRun> {
  const text = await readFile(join(dataDir, RECORD), 'utf8').catch(() => '{}')
  try {
    return JSON.parse(text) as LastRun
  } catch {
    return {} // a run was killed while it wrote the file
  }
}

function commandLine({ dataDir, namespace }: TemporalSpec, port: number, uiPort: number): string[] {
  const attributes = Object.entries(SEARCH_ATTRIBUTES).flatMap(([name, type]) => ['--search-attribute', `${name}=${type}`])
  const files = ['--db-filename', databaseOf(dataDir), '--sqlite-pragma', 'journal_mode=wal']
  const ports = ['--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)]
  return ['server', 'start-dev', ...files, ...ports, '--namespace', namespace, '--log-level', 'warn', ...attributes]
}

/** Resolves with undefined once the server answers for the namespace, or with the last error that it logged before it ended. */
async function whenAnswering(server: EngineProcess, port: number, namespace: string): Promise<string | undefined> {
  const deadline = Date.now() + 60_000
  while (server.ended() === undefined) {
    if ((await answers(port)) && (await serves(`127.0.0.1:${port}`, namespace))) return undefined
    if (Date.now() > deadline) {
      await server.stop(STOP)
      return 'it did not answer within 60 s'
    }
    await Promise.race([server.gone, sleep(50)])
  }
  const lines = (await server.said()).trim().split('\n')
  return lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? server.ended()
}

async function serves(address: string, namespace: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 }).catch(() => undefined)
  if (!connection) return false
  try {
    await connection.workflowService.describeNamespace({ namespace })
    return true
  } catch {
    return false
  } finally {
    await connection.close()
  }
}

/** Leaves out the caller's TEMPORAL_* variables, which the CLI would read as its own options. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_')))
}

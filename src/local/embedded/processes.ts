import { processArguments } from '../../adapters/processes/ownModule.ts'
import type { Config } from '../../config/index.ts'
import { type KeptChild, keepRunning } from './keepRunning.ts'

/**
 * How the C library of a process allocates: in two arenas, where it would open one for each thread, up to eight for each core, of which each keeps
 * what it has freed. A worker takes a tenth less memory with it. The image sets the same.
 */
export const ALLOCATION = { MALLOC_ARENA_MAX: '2' } as const

/** The programs that run beside the engines, each as a separate process. */
export type Process = 'api' | 'worker' | 'sftp' | 'bounces'

const NAMES: Readonly<Record<Process, string>> = { api: 'API', worker: 'worker', sftp: 'SFTP server', bounces: 'bounce server' }

export interface ProcessesOptions {
  /** The settings with the ports of the servers and the engines filled in. */
  readonly settings: Config & { readonly temporalAddress: string }
  /** The database URL of each process. */
  readonly urls: Readonly<Record<Process, string>>
  /** Settings that the engines make, such as the mail server of the sandbox. */
  readonly env: NodeJS.ProcessEnv
  readonly onProgress: (text: string) => void
  /** Called with every line that a process writes. */
  readonly onOutput: (name: Process, line: string) => void
  /** Called with the pid of each started process. */
  readonly onStart: (pid: number) => void
}

/** Starts the API, the worker and the servers whose ports are set, and restarts each whenever it ends. */
export function keepProcesses({ settings, urls, env, onProgress, onOutput, onStart }: ProcessesOptions): KeptChild[] {
  const metrics = metricsPorts(settings.metricsPort)
  const servers: Process[] = ['api']
  if (settings.sftpPort !== undefined) servers.push('sftp')
  if (settings.mailInboundPort !== undefined) servers.push('bounces')
  onProgress(`Starting ${servers.map((name) => `the ${NAMES[name]}`).join(', ')} and the ${NAMES.worker} ...`)
  return [...servers, 'worker' as const].map((name) =>
    keepRunning({
      name: NAMES[name],
      args: processArguments({ path: `../../../${name}/main`, from: import.meta.url }),
      env: { ...processEnvironment({ ...settings, databaseUrl: urls[name] }), ...env, METRICS_PORT: metrics[name] },
      onProgress,
      onOutput: (line) => onOutput(name, line),
      onStart,
    }),
  )
}

/** Resolves when all are ready. Rejects if one never will be, or with the signal's reason once it aborts. */
export async function readyOrAborted(processes: readonly KeptChild[], signal: AbortSignal): Promise<void> {
  const aborted = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true })
  })
  aborted.catch(() => undefined)
  await Promise.race([aborted, Promise.all(processes.map(({ ready }) => ready))])
}

/** Returns the metrics port of each process: one each, two for the worker. An empty text means not set. */
function metricsPorts(first: number | undefined): Record<Process, string> {
  const at = (offset: number) => (first === undefined ? '' : String(first + offset))
  return { api: at(0), worker: at(1), sftp: at(3), bounces: at(4) }
}

/** Returns the whole environment of a process, so that it reads the same settings as this one, with the engines filled in. */
function processEnvironment(settings: Config & { databaseUrl: string; temporalAddress: string }): NodeJS.ProcessEnv {
  return {
    ...ALLOCATION,
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
    // Only the embedded engines use these ports; a process that checked them would find them taken by the engines.
    POSTGRES_PORT: '',
    TEMPORAL_PORT: '',
    TEMPORAL_UI_PORT: '',
  }
}

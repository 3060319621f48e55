import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { processArguments } from '../../src/adapters/processes/ownModule.ts'
import { until } from '../support/until.ts'
import { type Incarnation, incarnationsOf, processTree, type RunningProcess, stillRunning } from './processes.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The user's command, or the program behind it, from a build if there is one, whose own process id a test can kill. */
const COMMANDS = {
  npm: ['npm', 'start', '--silent'],
  node: [process.execPath, ...processArguments({ path: '../../src/cli/start', from: import.meta.url })],
} as const

export const PARTS = ['worker', 'api', 'sftp', 'temporal', 'postgres', 'backend'] as const
/** The parts below the supervisor that can be killed; `backend` is a process of the database. The bounce server needs a port to run. */
export type Part = (typeof PARTS)[number] | 'bounces'

export interface Credentials {
  base_url: string
  sftp: { host: string; port: number; fingerprint: string }
  sellers: Record<string, { token: string } | undefined>
  buyers: Record<string, { token: string } | undefined>
}

export interface Product {
  readonly dataDir: string
  readonly baseUrl: string
  readonly credentials: Credentials
  /** Returns the output so far, for a test that fails. */
  said(): string
  processesOf(part: Part): Promise<number[]>
  /** Sends SIGKILL or another signal to one part; returns true if there was one. */
  signal(part: Part, signal?: NodeJS.Signals): Promise<boolean>
  /** Sends SIGKILL only to the supervisor. */
  killSupervisor(): Promise<void>
  /** Resolves when /readyz says again that the database answers. */
  recovered(withinMs?: number): Promise<void>
  /** Resolves when a worker has logged that it runs since the last one ended. Requires that the product logs at `info`. */
  workerBack(): Promise<void>
  /** Stops it like a container or a user at a terminal. Returns how long that took and which processes remained. */
  stop(by?: 'SIGTERM' | 'Ctrl-C'): Promise<{ exitCode: number | null; tookMs: number; left: Incarnation[] }>
}

export interface StartProduct {
  dataDir: string
  port: number
  by?: keyof typeof COMMANDS
  /** Settings beyond those that most users need. */
  env?: Readonly<Record<string, string>>
}

/** Starts everything as a user does, and waits for the `ready` line. */
export async function startProduct({ dataDir, port, by = 'node', env = {} }: StartProduct): Promise<Product> {
  const [command, ...args] = COMMANDS[by]
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...environment(dataDir, port), ...(by === 'node' && { BUILD_DIR: process.env.BUILD_DIR }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a separate process group, as a terminal makes one
  })
  const onOurExit = () => child.kill('SIGTERM')
  process.once('exit', onOurExit)
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  const gone = new Promise<number | null>((done) =>
    child.once('close', (code) => {
      process.removeListener('exit', onOurExit)
      done(code)
    }),
  )
  const baseUrl = await readyLine(child, gone, output)
  const root = child.pid ?? 0

  return {
    dataDir,
    baseUrl,
    credentials: JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')),
    said: () => output.join(''),
    processesOf: async (part) => (await processTree(root)).filter(IS[part]).map(({ pid }) => pid),
    async signal(part, signal = 'SIGKILL') {
      const [pid] = (await processTree(root)).filter(IS[part]).map((found) => found.pid)
      return pid !== undefined && sent(pid, signal)
    },
    async killSupervisor() {
      const supervisor = (await processTree(root)).find(({ command }) => command.includes('src/cli/start'))
      if (supervisor !== undefined) sent(supervisor.pid, 'SIGKILL')
      await gone
    },
    recovered: (withinMs = 60_000) => answersReady(baseUrl, withinMs),
    async workerBack() {
      const isBack = () => {
        const said = output.join('')
        return said.lastIndexOf(WORKER_RUNNING) > said.lastIndexOf(WORKER_ENDED)
      }
      await until(isBack, 120)
    },
    async stop(by = 'SIGTERM') {
      const all = await incarnationsOf(await processTree(root))
      const began = Date.now()
      if (by === 'Ctrl-C') sent(-root, 'SIGINT')
      else child.kill('SIGTERM')
      const exitCode = await Promise.race([gone, sleep(60_000, null, { ref: false })])
      const tookMs = Date.now() - began
      return { exitCode, tookMs, left: await stillRunning(all, 5_000) }
    },
  }
}

export const WORKER_RUNNING = 'the worker is running'
const WORKER_ENDED = 'The worker ended'

const IS: Record<Part, (found: RunningProcess, index: number, tree: RunningProcess[]) => boolean> = {
  worker: ({ command }) => command.includes('worker/main'),
  api: ({ command }) => command.includes('api/main'),
  sftp: ({ command }) => command.includes('sftp/main'),
  bounces: ({ command }) => command.includes('bounces/main'),
  temporal: ({ command }) => command.includes('start-dev'),
  postgres: ({ command }) => / -D .*port=/.test(command),
  backend: ({ command }) => /^postgres: .* marketplace /.test(command),
}

/** Returns the environment without what would distinguish this product from a user's: jest's options and our settings. */
function environment(dataDir: string, port: number): NodeJS.ProcessEnv {
  const foreign = /^(NODE_OPTIONS|NODE_ENV|JEST_.*|npm_.*|TEMPORAL_.*|DATABASE_URL|MODE|HOST|POSTGRES_PORT|SFTP_.*|BUILD_DIR)$/
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(own), DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', SEED: 'none', CONSOLE_BUILD: 'off' }
}

async function readyLine(child: ChildProcess, gone: Promise<unknown>, output: string[]): Promise<string> {
  const ready = new Promise<string>((done) =>
    child.stdout?.on('data', () => {
      const [, url] = /^ready (\S+)$/m.exec(output.join('')) ?? []
      if (url !== undefined) done(url)
    }),
  )
  const url = await Promise.race([ready, gone.then(() => undefined), sleep(120_000, undefined, { ref: false })])
  if (url !== undefined) return url
  child.kill('SIGTERM')
  throw new Error(`The product did not start:\n${output.join('')}`)
}

function sent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false // the process has already ended
  }
}

async function answersReady(baseUrl: string, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const text = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.text(),
      () => 'nothing',
    )
    if (text.includes('"database":"answers"')) return
    if (Date.now() > deadline) throw new Error(`/readyz answers ${text} after ${withinMs} ms`)
    await sleep(50)
  }
}

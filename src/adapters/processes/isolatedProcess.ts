import { type ChildProcess, spawn } from 'node:child_process'
import { type OwnModule, processArguments } from './ownModule.ts'

/** A process for work that may exhaust its memory or crash. One that reads untrusted input has no environment, settings or credentials. */
export interface IsolatedProcess {
  readonly child: ChildProcess
  /** Resolves when the process has ended and its pipes are closed. Rejects if it cannot start or was stopped from outside. */
  readonly ended: Promise<Ended>
  /** Kills the process if it still runs. */
  stop(): void
}

export interface Ended {
  readonly code: number | null
  readonly killedBy: NodeJS.Signals | null
  /** True if something other than the process itself or this one sent the signal that ended it. */
  readonly fromOutside: boolean
}

export interface IsolatedProgram {
  readonly module: OwnModule
  readonly flags: readonly string[]
  readonly args?: readonly string[]
  /** The environment; none for a process that reads untrusted input. */
  readonly env?: NodeJS.ProcessEnv
  /** The number of output pipes, from descriptor 3 on. */
  readonly pipes: number
}

export function startIsolated({ module, flags, args = [], env = {}, pipes }: IsolatedProgram, signal?: AbortSignal): IsolatedProcess {
  const child = spawn(process.execPath, [...flags, ...processArguments(module), ...args], {
    env,
    stdio: ['pipe', 'ignore', 'ignore', ...Array<'pipe'>(pipes).fill('pipe')],
    ...(signal === undefined ? {} : { signal }),
    killSignal: 'SIGKILL',
  })
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => {
      process.removeListener('exit', stop)
      resolve({ code, killedBy, fromOutside: killedBy !== null && !CRASHES.includes(killedBy) })
    })
  })
  return { child, ended, stop }
}

/** Signals that end a process that exhausts its heap or crashes in native code. */
const CRASHES: readonly NodeJS.Signals[] = ['SIGABRT', 'SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGTRAP']

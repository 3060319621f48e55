import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunAs } from './postgresBinaries.ts'

export type EngineProcess = {
  pid: number
  /** Returns why the process ended; undefined while it runs. */
  ended(): string | undefined
  /** Resolves when the process has ended. */
  gone: Promise<void>
  /** Calls back when the process ends without having been stopped. */
  onExit(listener: (why: string) => void): void
  /** Sends each signal in turn until the process has ended. */
  stop(signals: { signal: NodeJS.Signals; waitMs: number }[]): Promise<void>
  /** Returns the text that the process has written to its log since its start. */
  said(): Promise<string>
}

export type EngineSpec = {
  command: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  log: string
  runAs?: RunAs
  /** The signal to send if this process exits without having stopped the other. */
  lastSignal: NodeJS.Signals
}

/** Starts an embedded server as a process that writes to a log file, since a file outlives the supervisor, unlike a pipe. */
export async function startEngineProcess({ command, args, cwd, env, log, runAs, lastSignal }: EngineSpec): Promise<EngineProcess> {
  await rotateLog(log)
  const file = await open(log, 'a', 0o600)
  const from = (await file.stat()).size
  // The process is detached, so Ctrl-C reaches only the supervisor, which decides the order of the stop.
  const child = privately(() => spawn(command, args, { ...runAs, cwd, env, stdio: ['ignore', file.fd, file.fd], detached: true }))
  const onOurExit = () => child.kill(lastSignal)
  process.once('exit', onOurExit)
  await file.close()

  let why: string | undefined
  let isStopping = false
  const listeners: ((why: string) => void)[] = []
  const gone = new Promise<void>((done) => {
    const finish = (reason: string) => {
      if (why !== undefined) return
      why = reason
      process.removeListener('exit', onOurExit)
      done()
      if (!isStopping) for (const listener of listeners) listener(reason)
    }
    child.once('error', (error) => finish(error.message))
    child.once('exit', (code, signal) => finish(signal ? `signal ${signal}` : `exit code ${code}`))
  })

  return {
    pid: child.pid ?? 0,
    ended: () => why,
    gone,
    onExit: (listener) => {
      if (why === undefined) listeners.push(listener)
      else if (!isStopping) listener(why)
    },
    stop: async (signals) => {
      isStopping = true
      for (const { signal, waitMs } of signals) {
        if (why !== undefined) return
        child.kill(signal)
        await Promise.race([gone, sleep(waitMs, undefined, { ref: false })])
      }
    },
    said: async () => (await readFile(log)).subarray(from).toString(),
  }
}

/** Starts a process whose files only its user can read. A child inherits the mask of this process, and `spawn` starts it at once. */
function privately(start: () => ChildProcess): ChildProcess {
  const mask = process.umask(0o077)
  try {
    return start()
  } finally {
    process.umask(mask)
  }
}

const LARGE = 10 << 20

async function rotateLog(log: string): Promise<void> {
  const found = await stat(log).catch(() => undefined)
  if (found && found.size > LARGE) await rename(log, `${log}.1`)
}

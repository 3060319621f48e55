import { spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunAs } from './postgresBinaries.ts'

export type EngineProcess = {
  pid: number
  /** Why it ended; undefined while it runs. */
  ended(): string | undefined
  /** Settles when it has ended. */
  gone: Promise<void>
  /** Calls back when it ends without having been asked to. */
  onExit(listener: (why: string) => void): void
  /** Sends each signal in turn until it is gone. */
  stop(signals: { signal: NodeJS.Signals; waitMs: number }[]): Promise<void>
  /** What it has written to its log since it was started. */
  said(): Promise<string>
}

export type EngineSpec = {
  command: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  log: string
  runAs?: RunAs
  /** Sent when we ourselves exit without having stopped it. */
  lastSignal: NodeJS.Signals
}

/** An embedded server as a process that writes to a log file: unlike a pipe, the file outlives the supervisor. */
export async function startEngineProcess({ command, args, cwd, env, log, runAs, lastSignal }: EngineSpec): Promise<EngineProcess> {
  await rotateLog(log)
  const file = await open(log, 'a', 0o600)
  const from = (await file.stat()).size
  // Detached, so that Ctrl-C reaches the supervisor alone, which decides the order of the stop.
  const child = spawn(command, args, { ...runAs, cwd, env, stdio: ['ignore', file.fd, file.fd], detached: true })
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

const LARGE = 10 << 20

async function rotateLog(log: string): Promise<void> {
  const found = await stat(log).catch(() => undefined)
  if (found && found.size > LARGE) await rename(log, `${log}.1`)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from './startupError.ts'

export type ChildProcessSpec = {
  name: string
  /** The arguments of `node`: the module to run, after any options. */
  args: string[]
  env: NodeJS.ProcessEnv
  onProgress: (text: string) => void
  onOutput: (line: string) => void
  /** Called with the pid of each started process. */
  onStart?: (pid: number) => void
  /** The milliseconds that a stop gives the child before it kills it. */
  stopMs?: number
}

export type KeptChild = {
  /** Resolves when the child first sends `{ready: true}`; rejects if it never will. */
  ready: Promise<void>
  stop(): Promise<void>
}

/** Runs a Node program and restarts it whenever it dies: immediately at first, then with growing delays while it keeps dying. */
export function keepRunning(spec: ChildProcessSpec): KeptChild {
  const { name, onProgress, stopMs = STOP_MS } = spec
  let child: ChildProcess | undefined
  let gone: Promise<unknown> = Promise.resolve()
  let everReady = false
  let attempts = 0
  let pause = FIRST_PAUSE_MS
  const stopping = new AbortController()

  const ready = new Promise<void>((done, fail) => {
    const giveUp = (why: string) => {
      stopping.abort()
      child?.kill('SIGKILL')
      fail(new StartupError(`The ${name} does not start: ${why.replace(/\.$/, '')}.`))
    }
    const tooLate = setTimeout(() => giveUp('it was not ready within 60 s'), START_MS)
    stopping.signal.addEventListener('abort', () => clearTimeout(tooLate))
    const onReady = () => {
      everReady = true
      clearTimeout(tooLate)
      done()
    }
    const start = () => {
      const started = Date.now()
      const run = runProgram(spec, onReady)
      child = run.child
      attempts += 1
      gone = run.ended.then((why) => {
        if (stopping.signal.aborted) return
        if (!everReady && attempts === TRIES) return giveUp(why)
        if (Date.now() - started > CALM_MS) pause = FIRST_PAUSE_MS
        onProgress(`The ${name} ended (${why}) and is started again in ${pause / 1000} s.`)
        void sleep(pause, undefined, { signal: stopping.signal }).then(start, () => undefined)
        pause = Math.min(pause * 2, LAST_PAUSE_MS)
      })
    }
    start()
  })
  // A caller that awaits `ready` sees the failure. If none does (yet), the rejection must not end the process.
  ready.catch(() => undefined)

  const stop = async () => {
    stopping.abort()
    child?.kill('SIGTERM')
    const force = setTimeout(() => child?.kill('SIGKILL'), stopMs)
    await gone
    clearTimeout(force)
  }
  return { ready, stop }
}

/** Runs the program once. `ended` resolves with the reason. */
function runProgram(
  { args, env, onOutput, onStart }: ChildProcessSpec,
  onReady: () => void,
): { child: ChildProcess; ended: Promise<string> } {
  const errors: string[] = []
  // The process is detached, so Ctrl-C reaches only the supervisor, which decides the order of the stop.
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true })
  if (child.pid !== undefined) onStart?.(child.pid)
  const onOurExit = () => child.kill('SIGKILL')
  process.once('exit', onOurExit)
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onOutput)
  if (child.stderr)
    createInterface({ input: child.stderr }).on('line', (line) => {
      errors.push(line)
      if (errors.length > 50) errors.shift()
      onOutput(line)
    })
  child.on('message', (message) => {
    if ((message as { ready?: boolean } | null)?.ready) onReady()
  })
  const ended = new Promise<string>((resolve) => {
    // Waits for 'close' rather than 'exit', since by then all output has been read.
    child.once('close', (code, signal) => resolve(signal ? `signal ${signal}` : (lastErrorLine(errors) ?? `exit code ${code}`)))
    child.once('error', (error) => resolve(error.message))
  })
  return { child, ended: ended.finally(() => process.removeListener('exit', onOurExit)) }
}

const FIRST_PAUSE_MS = 200
const LAST_PAUSE_MS = 5_000
/** A process that lived this long did not die of its start. */
const CALM_MS = 10_000
const TRIES = 3
const START_MS = 60_000
/** A webhook post in progress may take five seconds, and is recorded afterwards. The engines stop next, so everything stops within ten. */
export const STOP_MS = 6_500

/** Returns the line that says what went wrong. Node prints frames, source and its version around it. */
function lastErrorLine(lines: string[]): string | undefined {
  const spoken = lines.filter((line) => line.trim() !== '' && !/^\s|^Node\.js v|^[{}^]|^file:|^node:|^\(node:|^\(Use `node/.test(line))
  return spoken.findLast((line) => /^\w*(Error|Fault)\b.*: /.test(line)) ?? spoken.at(-1)
}

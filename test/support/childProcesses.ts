import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'

/** Returns whether a process has ended, by itself or by a signal. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** Sends a signal and resolves with the exit code once the process has ended, or immediately if it already has. */
export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (!hasEnded(child)) {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return child.exitCode
}

/** Kills a process when this one ends, for example when a test run is interrupted. */
export function endWithUs(child: ChildProcess, kill: () => void = () => void child.kill('SIGKILL')): void {
  process.once('exit', kill)
  child.once('exit', () => process.removeListener('exit', kill))
}

/** Returns the next message of a process, the first of which reports that it is ready. Rejects with its output if it ends before. */
export async function nextMessage(child: ChildProcess, name: string, said: () => string = () => ''): Promise<unknown> {
  const waiting = new AbortController()
  const { signal } = waiting
  const fault = (code: number | null) => new Error(`${name} ended with exit code ${code}: ${said()}`)
  if (hasEnded(child)) throw fault(child.exitCode)
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]): unknown => message),
      once(child, 'close', { signal }).then(([code]): never => {
        throw fault(code)
      }),
    ])
  } finally {
    waiting.abort()
  }
}

/** Returns the memory of a process on Linux in MiB: resident now, or the peak. NaN if the system does not report it. */
export async function residentMib(pid: number | undefined, what: 'VmRSS' | 'VmHWM' = 'VmRSS'): Promise<number> {
  const lines = (await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')).split('\n')
  const [, kibibytes = Number.NaN] = lines.find((line) => line.startsWith(what))?.split(/\s+/) ?? []
  return Number(kibibytes) / 1_024
}

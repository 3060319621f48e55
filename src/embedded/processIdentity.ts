import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * Names one incarnation of a process: a pid alone may be another program's by the time that we look.
 * Undefined when no such process lives (a zombie does not).
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

/** Ends a process politely, then firmly; returns when it is gone. Touches nothing when the pid is somebody else's by now. */
export async function endProcess(pid: number, identity: string, signals: { signal: NodeJS.Signals; waitMs: number }[]): Promise<boolean> {
  for (const { signal, waitMs } of signals) {
    if ((await processIdentity(pid)) !== identity) return true
    sendSignal(pid, signal)
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline) {
      if ((await processIdentity(pid)) !== identity) return true
      await sleep(20)
    }
  }
  return (await processIdentity(pid)) !== identity
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

let bootId: Promise<string> | undefined

async function fromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The name in parentheses may hold spaces; state is the first field after it, the start time the twentieth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined
  bootId ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim().slice(0, 8),
    () => 'boot',
  )
  return `${await bootId}.${fields[19]}`
}

async function fromPs(pid: number): Promise<string | undefined> {
  if (process.platform === 'win32') return pidExists(pid) ? 'alive' : undefined
  const run = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => undefined)
  const [state, ...started] = run?.stdout.trim().split(/\s+/) ?? []
  return state === undefined || state === '' || state.startsWith('Z') ? undefined : started.join('-').replaceAll(':', '.')
}

/** True for a zombie too: Postgres, for one, asks in this way. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

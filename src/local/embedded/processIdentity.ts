import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/**
 * Identifies one incarnation of a process, since its pid alone may already belong to another program.
 * Undefined if no such process runs (a zombie does not run).
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

/**
 * Sends a process each signal in turn and waits up to `waitMs` ms after each. Returns true once it is gone, false if it outlives them all.
 * Sends nothing if the pid now belongs to another process.
 */
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

/** Returns the processes whose command line contains all of these words. */
export async function processesStartedWith(words: string[]): Promise<number[]> {
  const commands = process.platform === 'linux' ? await commandsFromProc() : await commandsFromPs()
  return commands.filter(({ pid, command }) => pid !== process.pid && words.every((word) => command.includes(word))).map(({ pid }) => pid)
}

type Command = { pid: number; command: string }

async function commandsFromProc(): Promise<Command[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      command: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' '),
    })),
  )
}

async function commandsFromPs(): Promise<Command[]> {
  if (process.platform === 'win32') return []
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='], { maxBuffer: 64 << 20 })
  return stdout.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), command: line }))
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
  // The name in parentheses may hold spaces; state is the first field after it, the start time the twentieth, threads the eighteenth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie keeps its files and ports while its other threads are still ending.
  if (fields[0] === 'X' || (fields[0] === 'Z' && Number(fields[17]) <= 1)) return undefined
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

/** Returns whether the pid exists, which is also true for a zombie: Postgres, for one, checks in this way. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

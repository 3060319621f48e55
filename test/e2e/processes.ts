import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { processIdentity } from '../../src/local/embedded/processIdentity.ts'

export type RunningProcess = { pid: number; parent: number; command: string }

/** Returns a process and all its descendants, from the top. */
export async function processTree(root: number): Promise<RunningProcess[]> {
  const all = await runningProcesses()
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

/** One incarnation of a process, since its pid may belong to another later. */
export type Incarnation = { pid: number; identity: string; command: string }

export async function incarnationsOf(processes: readonly RunningProcess[]): Promise<Incarnation[]> {
  const found = await Promise.all(
    processes.map(async ({ pid, command }) => ({ pid, command, identity: (await processIdentity(pid)) ?? '' })),
  )
  return found.filter(({ identity }) => identity !== '')
}

/** Returns those that still run after `waitMs` at most. */
export async function stillRunning(processes: readonly Incarnation[], waitMs: number): Promise<Incarnation[]> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const alive: Incarnation[] = []
    for (const one of processes) if ((await processIdentity(one.pid)) === one.identity) alive.push(one)
    if (alive.length === 0 || Date.now() > deadline) return alive
    await sleep(50)
  }
}

async function runningProcesses(): Promise<RunningProcess[]> {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

async function fromProc(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const read = (pid: string, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await read(pid, 'stat')
      // The name in parentheses may contain spaces; the parent is the second field after it.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      return { pid: Number(pid), parent, command: (await read(pid, 'cmdline')).replaceAll('\0', ' ') }
    }),
  )
  return found.filter(({ command }) => command !== '')
}

async function fromPs(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,command='], { maxBuffer: 64 << 20 })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
  })
}

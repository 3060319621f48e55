import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { cpuMicroseconds } from '../counters.ts'

/** Watches how much of the machine those use who are not part of the measurement. Returns a function that says their share so far, 0 to 1. */
export async function watchOthers(processes: Iterable<number>): Promise<() => Promise<number>> {
  const roots = [...processes]
  const before = await read(roots)
  return async () => {
    const after = await read(roots)
    const capacity = (after.at - before.at) * 1_000 * availableParallelism()
    const ours = after.measured - before.measured
    return Math.max(0, (after.busy - before.busy - ours) / capacity)
  }
}

interface Reading {
  /** Milliseconds. */
  at: number
  /** Microseconds of all cores since the machine started. */
  busy: number
  /** Microseconds of the processes in question, and of this one. */
  measured: number
}

async function read(roots: readonly number[]): Promise<Reading> {
  const busy = busyMicroseconds(await readFile('/proc/stat', 'utf8').catch(() => ''))
  const { user, system } = process.cpuUsage()
  let measured = user + system
  for (const root of roots) measured += await cpuMicroseconds(root)
  return { at: performance.now(), busy, measured }
}

const TICK_US = 10_000

/** From the first line of /proc/stat: everything but idle and waiting for disks. */
export function busyMicroseconds(stat: string): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = (/^cpu +(.*)$/m.exec(stat)?.[1] ?? '')
    .split(' ')
    .map(Number)
  return (user + nice + system + irq + softirq + steal) * TICK_US
}

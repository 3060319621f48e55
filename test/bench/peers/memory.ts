import { readFile } from 'node:fs/promises'
import { processTree } from '../../e2e/processes.ts'

/**
 * Megabytes of these processes and all below them, pages that several share counted once (the proportional set size of Linux). NaN where the system
 * does not tell.
 */
export async function memoryMb(roots: Iterable<number>): Promise<number> {
  let kilobytes = 0
  for (const root of roots) for (const { pid } of await processTree(root)) kilobytes += await proportional(pid)
  return kilobytes === 0 ? Number.NaN : kilobytes / 1_024
}

async function proportional(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0)
}

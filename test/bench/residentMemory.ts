import { readFile } from 'node:fs/promises'
import { processTree } from '../e2e/processes.ts'

export const MIB = 1024 * 1024

/** Of a process alone. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}

/** Looking for processes costs more than reading their memory, and readers of files live for seconds. */
const LOOK_EVERY = 10

/** Samples a process with those below it, such as readers of files: pages that they share count for each. */
export function residentTree(root: number): () => Promise<number> {
  let pids: number[] = [root]
  let samples = 0
  return async () => {
    if (samples % LOOK_EVERY === 0) pids = (await processTree(root)).map(({ pid }) => pid)
    samples += 1
    const sizes = await Promise.all(pids.map(residentBytes))
    return sizes.reduce((total, size) => total + size, 0)
  }
}

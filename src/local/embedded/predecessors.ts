import { setTimeout as sleep } from 'node:timers/promises'
import type { Incarnations } from './incarnations.ts'
import { endProcess, sendSignal } from './processIdentity.ts'
import { StartupError } from './startupError.ts'

/** How long a start waits for processes that remain from the previous one. */
export const PREDECESSOR_MS = 10_000

/**
 * Waits for the API and the worker that outlived their supervisor: they stop on their own, but hold the port until then. Kills those
 * that take too long. Call it only while holding the data directory's lock.
 */
export async function awaitPredecessors(
  children: Incarnations,
  { onProgress, signal, waitMs = PREDECESSOR_MS }: { onProgress: (text: string) => void; signal: AbortSignal; waitMs?: number },
): Promise<void> {
  let left = await children.living()
  if (left.length === 0) return
  onProgress(`Waiting for the processes of the last start to stop (${left.map(({ pid }) => pid).join(', ')}) ...`)
  for (const { pid } of left) sendSignal(pid, 'SIGTERM')
  const deadline = Date.now() + waitMs
  while (left.length > 0 && Date.now() < deadline) {
    await sleep(50, undefined, { signal })
    left = await children.living()
  }
  for (const { pid, identity } of left)
    if (!(await endProcess(pid, identity, [{ signal: 'SIGKILL', waitMs: 2_000 }])))
      throw new StartupError(`Process ${pid} of the last start cannot be stopped; stop it and start again.`)
}

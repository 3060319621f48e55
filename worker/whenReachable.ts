import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `act`, and again every half second while it fails because the server is unreachable. Resolves to undefined if stopped before.
 * Calls `onAway` on the first such failure and rethrows any other. `act` must be idempotent.
 */
export async function whenReachable<T>(
  act: () => Promise<T>,
  { isAway, onAway, stopping }: { isAway: (error: unknown) => boolean; onAway: (error: unknown) => void; stopping: AbortSignal },
): Promise<T | undefined> {
  for (let first = true; !stopping.aborted; first = false) {
    try {
      return await act()
    } catch (error) {
      if (!isAway(error)) throw error
      if (first) onAway(error)
    }
    await sleep(500, undefined, { signal: stopping }).catch(() => undefined)
  }
  return undefined
}

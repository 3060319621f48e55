import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Does `act`, again each half second for as long as it fails because nobody answers; undefined when told to stop before. `onAway` is called for
 * the first such failure. Any other failure is its caller's. `act` must be fit to be done twice.
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

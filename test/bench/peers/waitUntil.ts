import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 30_000
const LOOK_MS = 100

/** Looks until it is so; fails with these words after half a minute. */
export async function waitUntil(isSo: () => Promise<boolean>, tooLate: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    // A server that is not up yet refuses the connection.
    const so = await isSo().catch((error: Error) => (error.message === 'fetch failed' ? false : Promise.reject(error)))
    if (so) return
    if (performance.now() > deadline) throw new Error(tooLate)
    await sleep(LOOK_MS)
  }
}

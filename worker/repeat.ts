import { setTimeout as sleep } from 'node:timers/promises'

export interface Repeated {
  /** Starts no further look, and waits for the one in progress. */
  stop(): Promise<void>
}

/** Calls `look` repeatedly with a pause in between, which may depend on what it has found. Calls `failed` for the first of several failures in a row; the next look retries. */
export function repeat(
  pauseMs: number | (() => number),
  look: (stopping: AbortSignal) => Promise<void>,
  failed: (error: unknown) => void,
): Repeated {
  const stopping = new AbortController()
  const looking = (async () => {
    let failing = false
    while (!stopping.signal.aborted) {
      try {
        await look(stopping.signal)
        failing = false
      } catch (error) {
        if (!failing) failed(error)
        failing = true
      }
      await sleep(typeof pauseMs === 'number' ? pauseMs : pauseMs(), undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return looking
    },
  }
}

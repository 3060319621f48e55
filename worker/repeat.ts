import { setTimeout as sleep } from 'node:timers/promises'

export interface Repeated {
  /** Looks no more, and waits for the look that has begun. */
  stop(): Promise<void>
}

/** Looks from now on, with a pause after each look. `failed` is called for the first failure of a row: the next look tries again. */
export function repeat(pauseMs: number, look: (stopping: AbortSignal) => Promise<void>, failed: (error: unknown) => void): Repeated {
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
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: () => {
      stopping.abort()
      return looking
    },
  }
}

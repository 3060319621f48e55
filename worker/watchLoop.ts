import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'

/** How late the event loop may be before a warning (choices, A document's reader). */
const LATE_MS = 100
const EVERY_MS = 1_000
const RESOLUTION_MS = 10

/**
 * Logs every second how late this process's timers fire, since anything that blocks the event loop blocks every tenant's orders. Logs a
 * warning if they are too late.
 */
export function watchLoop(logger: Logger): { stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const timer = setInterval(() => {
    const lag_ms = Math.max(Math.round(delays.max / 1e6) - RESOLUTION_MS, 0)
    delays.reset()
    if (lag_ms > LATE_MS) logger.warn({ lag_ms }, 'the event loop was held up')
    else logger.debug({ lag_ms }, 'the event loop')
  }, EVERY_MS)
  timer.unref()
  return {
    stop: () => {
      clearInterval(timer)
      delays.disable()
    },
  }
}

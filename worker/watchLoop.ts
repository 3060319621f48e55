import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Logger } from 'pino'

/** How late the loop may be before that is logged (choices, A document's reader). */
const LATE_MS = 100
const EVERY_MS = 1_000
const RESOLUTION_MS = 10

/**
 * Logs how late timers of this process fire, every second: anything that blocks the loop blocks every tenant's orders. As a warning when they
 * are too late.
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

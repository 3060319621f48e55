import { openDueWindows } from '../src/operations/publishing/openDueWindows.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type Repeated, repeat } from './repeat.ts'

interface WindowTimerDeps {
  db: Database
  logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
  /** The time in milliseconds. */
  now?: () => number
  lookMs?: number
}

const LOOK_MS = 1_000

/**
 * Starts announcing rate windows when they open (catalog.window_opened). Several timers may run concurrently. A window that opens while
 * no timer runs is announced late, unless it has closed.
 */
export function startWindowTimer({ db, logger, now = Date.now, lookMs = LOOK_MS }: WindowTimerDeps): Repeated {
  return repeat(
    lookMs,
    async (stopping) => {
      const due = await openDueWindows(db, new Date(now()).toISOString(), stopping)
      if (due > 0) logger.info(`${due} rate windows that were due are announced`)
    },
    (error) => logger.warn('rate windows cannot be announced; trying again', { error }),
  )
}

import { openDueWindows } from '../src/publishing/openDueWindows.ts'
import type { Database } from '../src/store/connection/database.ts'
import { type Repeated, repeat } from './repeat.ts'

interface WindowTimerDeps {
  db: Database
  logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

const LOOK_MS = 1_000

/**
 * Starts announcing rate windows when they open (catalog.window_opened). Several timers may run concurrently. A window that opens while
 * no timer runs is announced late, unless it has closed.
 */
export function startWindowTimer({ db, logger }: WindowTimerDeps): Repeated {
  return repeat(
    LOOK_MS,
    async (stopping) => {
      const due = await openDueWindows(db, new Date().toISOString(), stopping)
      if (due > 0) logger.info(`${due} rate windows that were due are announced`)
    },
    (error) => logger.warn('rate windows cannot be announced; trying again', { error }),
  )
}

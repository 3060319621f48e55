import { setTimeout as sleep } from 'node:timers/promises'
import { openDueWindows } from '../src/publishing/openDueWindows.ts'
import type { Database } from '../src/store/database.ts'

export interface WindowTimer {
  /** Looks no more, and finishes the announcement that it has begun. */
  stop(): Promise<void>
}

interface WindowTimerDeps {
  db: Database
  logger: { info(message: string): void; warn(message: string, meta?: Record<string, unknown>): void }
}

const LOOK_MS = 1_000

/**
 * Announces rate windows when they open (catalog.window_opened), from now on. Runs beside others like it; what nobody announced while all of
 * them were away is announced late, as long as the window has not closed.
 */
export function startWindowTimer({ db, logger }: WindowTimerDeps): WindowTimer {
  const stopping = new AbortController()
  const looking = look(db, logger, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return looking
    },
  }
}

async function look(db: Database, logger: WindowTimerDeps['logger'], stopping: AbortSignal): Promise<void> {
  let failing = false
  while (!stopping.aborted) {
    try {
      const due = await openDueWindows(db, new Date().toISOString(), stopping)
      if (due > 0) logger.info(`${due} rate windows that were due are announced`)
      failing = false
    } catch (error) {
      if (!failing) logger.warn('rate windows cannot be announced; trying on', { error })
      failing = true
    }
    await sleep(LOOK_MS, undefined, { signal: stopping }).catch(() => undefined)
  }
}

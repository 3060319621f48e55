import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/store/database.ts'
import { settleExpired } from '../src/store/eventAuthority.ts'

export interface AuthorityTimer {
  stop(): Promise<void>
}

interface AuthorityTimerDeps {
  db: Database
  logger: { warn(message: string, meta?: Record<string, unknown>): void }
}

const LOOK_MS = 2_000

/** Passes on, from now on, what credentials authorized that have expired. Nothing is sent for them meanwhile, whether or not this runs. */
export function startAuthorityTimer({ db, logger }: AuthorityTimerDeps): AuthorityTimer {
  const stopping = new AbortController()
  const looking = look(db, logger, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return looking
    },
  }
}

async function look(db: Database, logger: AuthorityTimerDeps['logger'], stopping: AbortSignal): Promise<void> {
  let failing = false
  while (!stopping.aborted) {
    try {
      await settleExpired(db)
      failing = false
    } catch (error) {
      if (!failing) logger.warn('what expired credentials authorized cannot be passed on; trying again', { error })
      failing = true
    }
    await sleep(LOOK_MS, undefined, { signal: stopping }).catch(() => undefined)
  }
}

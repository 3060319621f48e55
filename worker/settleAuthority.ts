import type { Database } from '../src/store/connection/database.ts'
import { settleExpired } from '../src/store/delivery/eventAuthority.ts'
import { type Repeated, repeat } from './repeat.ts'

interface AuthorityTimerDeps {
  db: Database
  logger: { warn(message: string, meta?: Record<string, unknown>): void }
}

const LOOK_MS = 2_000

/** Passes on, from now on, what credentials authorized that have expired. Nothing is sent for them, whether or not this runs. */
export function startAuthorityTimer({ db, logger }: AuthorityTimerDeps): Repeated {
  return repeat(
    LOOK_MS,
    () => settleExpired(db),
    (error) => logger.warn('what expired credentials authorized cannot be passed on; trying again', { error }),
  )
}

import type { Database } from '../src/store/connection/database.ts'
import { closeExpired } from '../src/store/delivery/eventAuthority.ts'
import { type Repeated, repeat } from './repeat.ts'

interface AuthorityTimerDeps {
  db: Database
  logger: { warn(message: string, meta?: Record<string, unknown>): void }
}

const LOOK_MS = 2_000

/** Starts passing on the work that expired credentials authorized. Nothing is sent under them, whether or not this timer runs. */
export function startAuthorityTimer({ db, logger }: AuthorityTimerDeps): Repeated {
  return repeat(
    LOOK_MS,
    () => closeExpired(db),
    (error) => logger.warn('what expired credentials authorized cannot be passed on; trying again', { error }),
  )
}

import { tokenBuckets } from '../../src/domain/tokenBuckets.ts'
import type { Database } from '../../src/store/connection/database.ts'
import { type NewRefused, saveRefused } from '../../src/store/requests/refusedRequests.ts'

/** The log of refused and failed requests, which is written in batches beside them. */
export interface RefusedLog {
  note(refused: NewRefused): void
  /** Writes what was noted since the last write. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** What is noted of one tenant: a program in a loop must not fill the log, and its first refusals say what is wrong. */
const NOTED = { perSecond: 1, burst: 100 }
/** What waits to be written; more is not noted. */
const MAX_WAITING = 2_000

export function refusedLog(db: Pick<Database, 'as'>, { everyMs = 1_000, now = Date.now } = {}): RefusedLog {
  const allowed = tokenBuckets(NOTED, now)
  let waiting: NewRefused[] = []
  let writing = Promise.resolve()
  const flush = (): Promise<void> => {
    const batch = waiting
    waiting = []
    // A log that cannot be written must not fail requests.
    if (batch.length > 0) writing = writing.then(() => saveRefused(db, batch)).catch(() => undefined)
    return writing
  }
  const timer = setInterval(() => void flush(), everyMs).unref()
  return {
    note(refused) {
      if (waiting.length < MAX_WAITING && allowed.take(refused.tenant, 1) === 0) waiting.push(refused)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

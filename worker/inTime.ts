import type { Connection } from '@temporalio/client'
import { settable } from './settable.ts'

/**
 * Calls Temporal and fails, as when it does not answer, once `ms` milliseconds have passed or `stopping` aborts. The worker's own connection
 * ignores abort signals, and it tries again for ten seconds, each time with the whole deadline. A call that is given up may still succeed.
 */
export async function inTime<T>(
  connection: Pick<Connection, 'withDeadline'>,
  ms: number,
  call: () => Promise<T>,
  stopping?: AbortSignal,
): Promise<T> {
  const tooLate = settable()
  const giveUp = () => tooLate.reject(Object.assign(new Error('Temporal does not answer in time'), DEADLINE_EXCEEDED))
  const timer = setTimeout(giveUp, ms)
  stopping?.addEventListener('abort', giveUp)
  if (stopping?.aborted) giveUp()
  try {
    return await Promise.race([connection.withDeadline(Date.now() + ms, call), tooLate.happened as Promise<never>])
  } finally {
    clearTimeout(timer)
    stopping?.removeEventListener('abort', giveUp)
  }
}

/** As the client of Temporal makes its errors. */
const DEADLINE_EXCEEDED = { code: 4, details: 'no answer in time', metadata: {} }

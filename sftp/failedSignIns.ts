import { loggedText } from './loggedText.ts'

/**
 * Throttles the sign-ins of a user name from a source for a while after too many have failed. Others behind the same address, and the name
 * from elsewhere, are not affected.
 */
export interface FailedSignIns {
  note(source: string, user: string): void
  isThrottled(source: string, user: string): boolean
}

export interface FailureBounds {
  /** The number of failures within `withinMs` at which sign-ins are throttled. */
  readonly max: number
  readonly withinMs: number
  readonly throttledMs: number
}

/** The most pairs of a source and a user name kept; beyond that the oldest one is forgotten. */
const REMEMBERED = 10_000

export function failedSignIns({ max, withinMs, throttledMs }: FailureBounds, now: () => number = Date.now): FailedSignIns {
  const known = new Map<string, { times: number[]; throttledUntil: number }>()
  // A user name has any length, and is kept as short as the log has it.
  const keyOf = (source: string, user: string) => `${source} ${loggedText(user)}`
  return {
    note(source, user) {
      const key = keyOf(source, user)
      const { times, throttledUntil } = known.get(key) ?? { times: [], throttledUntil: 0 }
      const recent = [...times.filter((at) => at > now() - withinMs), now()]
      known.delete(key)
      if (known.size >= REMEMBERED) known.delete(known.keys().next().value as string)
      known.set(key, recent.length >= max ? { times: [], throttledUntil: now() + throttledMs } : { times: recent, throttledUntil })
    },
    isThrottled: (source, user) => (known.get(keyOf(source, user))?.throttledUntil ?? 0) > now(),
  }
}

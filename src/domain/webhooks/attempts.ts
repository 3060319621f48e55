import type { DeliveryStatus, DropReason } from '../../contract/vocabulary.ts'

/** The timeout of an attempt, in milliseconds. */
const ATTEMPT_MS = 5_000
/** The least time, in milliseconds, for which an attempt is worthwhile. */
const SHORTEST_MS = 1_000

/** Milliseconds from the end of an attempt to the next; three attempts take at most 25 s (spec, Limits; choices, Attempts). */
const WAITS_MS = [2_000, 8_000]
const LATEST_END_MS = 25_500

/** Returns the state of a delivery after its attempt number `made`, which ended at `ended` (milliseconds since 1970). */
export function afterAttempt(
  made: number,
  statusCode: number | undefined,
  ended: number,
): { status: DeliveryStatus; reason?: DropReason; due: number } {
  if (isSuccess(statusCode)) return { status: 'delivered', due: ended }
  if (statusCode === GONE) return { status: 'dropped', reason: 'gone', due: ended }
  const wait = WAITS_MS[made - 1]
  return wait === undefined ? { status: 'dropped', reason: 'attempts_failed', due: ended } : { status: 'pending', due: ended + wait }
}

function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300
}

/** Returns the milliseconds for an attempt that begins now; undefined if too little is left since the first began at `firstAt`. */
export function attemptTime(firstAt: number | undefined, now: number): number | undefined {
  const left = Math.min(ATTEMPT_MS, (firstAt ?? now) + LATEST_END_MS - now)
  return left < SHORTEST_MS ? undefined : left
}

/** The status with which a receiver unsubscribes. */
export const GONE = 410

export const DISABLED_REASONS = ['gone', 'failing_for_five_days', 'credential_revoked', 'credential_expired'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

const FAILING_MS = 5 * 24 * 60 * 60 * 1_000

/** The health of an endpoint: since when every attempt has failed (milliseconds since 1970), and the reason to disable it. */
export interface EndpointHealth {
  failingSince: number | null
  disabled?: DisabledReason
}

/** Returns the health after further attempts, in the order in which they ended: gone at the first 410, disabled after five days without success. */
export function afterOutcomes(
  failingSince: number | null,
  outcomes: readonly { statusCode: number | undefined; ended: number }[],
): EndpointHealth {
  let since = failingSince
  for (const { statusCode, ended } of outcomes) {
    if (statusCode === GONE) return { failingSince: since ?? ended, disabled: 'gone' }
    since = isSuccess(statusCode) ? null : (since ?? ended)
    if (since !== null && ended - since >= FAILING_MS) return { failingSince: since, disabled: 'failing_for_five_days' }
  }
  return { failingSince: since }
}

import type { DeliveryStatus, DropReason } from '../../contract/vocabulary.ts'

/** The times of the attempts of a delivery, in milliseconds. */
export interface AttemptTimes {
  /** The timeout of an attempt. */
  readonly attemptMs: number
  /** The least time for which an attempt is worthwhile. */
  readonly shortestMs: number
  /** From the end of each attempt to the next. */
  readonly waitsMs: readonly number[]
  /** From the beginning of the first attempt to the latest end of the last. */
  readonly latestEndMs: number
}

/** Three attempts take at most 25 s (contract, Limits; choices, Attempts). */
export const ATTEMPT_TIMES: AttemptTimes = { attemptMs: 5_000, shortestMs: 1_000, waitsMs: [2_000, 8_000], latestEndMs: 25_500 }

/** Returns the state of a delivery after its attempt number `made`, which ended at `ended` (milliseconds since 1970). */
export function afterAttempt(
  made: number,
  statusCode: number | undefined,
  ended: number,
  { waitsMs }: Pick<AttemptTimes, 'waitsMs'> = ATTEMPT_TIMES,
): { status: DeliveryStatus; reason?: DropReason; due: number } {
  if (isSuccess(statusCode)) return { status: 'delivered', due: ended }
  if (statusCode === GONE) return { status: 'dropped', reason: 'gone', due: ended }
  const wait = waitsMs[made - 1]
  return wait === undefined ? { status: 'dropped', reason: 'attempts_failed', due: ended } : { status: 'pending', due: ended + wait }
}

function isSuccess(statusCode: number | undefined): boolean {
  return statusCode !== undefined && statusCode >= 200 && statusCode < 300
}

/** Returns the milliseconds for an attempt that begins now; undefined if too little is left since the first began at `firstAt`. */
export function attemptTime(
  firstAt: number | undefined,
  now: number,
  { attemptMs, shortestMs, latestEndMs }: AttemptTimes = ATTEMPT_TIMES,
): number | undefined {
  const left = Math.min(attemptMs, (firstAt ?? now) + latestEndMs - now)
  return left < shortestMs ? undefined : left
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

import type { DeliveryStatus, DropReason } from '../../contract/vocabulary.ts'

/** An attempt ends after so many milliseconds, whatever the receiver does. */
const ATTEMPT_MS = 5_000
/** With less than this left, an attempt is not worth its while. */
const SHORTEST_MS = 1_000

/** Milliseconds from the end of an attempt to the next: three attempts, 25 s at most (spec, Limits; choices, Attempts). */
const WAITS_MS = [2_000, 8_000]
const LATEST_END_MS = 25_500

/** Where a delivery stands after its attempt number `made`, which ended at `ended` (milliseconds since 1970). */
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

/** Milliseconds for an attempt that begins now, of a delivery whose first one began at `firstAt`; undefined when it comes too late. */
export function attemptTime(firstAt: number | undefined, now: number): number | undefined {
  const left = Math.min(ATTEMPT_MS, (firstAt ?? now) + LATEST_END_MS - now)
  return left < SHORTEST_MS ? undefined : left
}

/** The receiver says that nobody wants this any more. */
export const GONE = 410

export const DISABLED_REASONS = ['gone', 'failing_for_five_days', 'credential_revoked', 'credential_expired'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

const FAILING_MS = 5 * 24 * 60 * 60 * 1_000

/** How an endpoint stands: since when every attempt has failed (milliseconds since 1970), and why it is to be disabled. */
export interface EndpointHealth {
  failingSince: number | null
  disabled?: DisabledReason
}

/** An endpoint after some of its attempts, in the order they ended: gone at the first 410, disabled after five days of nothing but failure. */
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

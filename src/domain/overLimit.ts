import { Refusal } from './refusal.ts'

/** A limit that a caller has used up. */
export interface Quota {
  /** The name of what is limited, such as `requests`. */
  readonly limit: string
  /** How many there may be: in each `window_s` seconds, or at once if it has none. Absent if another caller has used up what all share. */
  readonly most?: number
  readonly window_s?: number
  /** How many there may be in a burst, where it is more than `max`. */
  readonly burst?: number
}

/** Makes the refusal of a caller that has used up a limit, with the seconds after which it may try again (contract, Rate limits). */
export function overLimit(quota: Quota, message: string, retry_after: number): Refusal {
  return new Refusal('RATE_LIMITED', message, { ...quota, retry_after })
}

import type { Instant } from '../calendar.ts'
import type { RateOnCard } from './pricing.ts'

/**
 * A price for one buyer alone: what a counter or a plan asks where no published price fits. The platform publishes it on the seller's card as
 * a quote commit (choices, decide; Proposals and plans), in the transaction of the event that cites it. `locked_rate_id` names the first of
 * `weeks`; exactly one of the two costs is set, as decimal text.
 */
export interface Quote extends Omit<RateOnCard, 'week' | 'agreement_id' | 'visible_to'> {
  /** The ISO weeks that it prices alike, in order: those of one line's period. */
  readonly weeks: readonly [string, ...string[]]
  readonly quote_expires_at: Instant
}

import type { Instant } from '../calendar.ts'
import type { RateOnCard } from './pricing.ts'

/**
 * A price for one buyer, made by a counter or a plan. The platform publishes it on the seller's card as a quote commit (choices, decide;
 * Proposals and plans), in the transaction of the event that cites it. `locked_rate_id` names the first of `weeks`. Exactly one of the two
 * costs is set, as decimal text.
 */
export interface Quote extends Omit<RateOnCard, 'week' | 'agreement_id' | 'visible_to'> {
  /** The ISO weeks of one line's period, in order, all at the same price. */
  readonly weeks: readonly [string, ...string[]]
  readonly quote_expires_at: Instant
}

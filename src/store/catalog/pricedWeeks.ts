import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { IN_SIGHT } from './quotes.ts'

/** A week of a product that has a price whose window is open, for one spot length. */
export interface PricedWeek {
  readonly product_id: string
  readonly week: string
  readonly spot_length: number
  /** Whether one of its prices is a quote for this buyer. */
  readonly quoted: boolean
}

export interface PricedQuestion {
  readonly seller: string
  readonly buyer: string
  /** The buyer's agreements in force. */
  readonly agreementIds: readonly string[]
  readonly productIds: readonly string[]
  readonly weeks: readonly string[]
}

/** Returns which weeks of the current card a buyer may see and can order now, without the prices. */
export async function readPricedWeeks({ pool }: Pick<Database, 'pool'>, request: PricedQuestion): Promise<PricedWeek[]> {
  const { rows } = await pool.query<PricedWeek>(
    PRICED.bind({
      seller: request.seller,
      buyer: request.buyer,
      agreement_ids: request.agreementIds,
      product_ids: request.productIds,
      weeks: request.weeks,
    }),
  )
  return rows
}

/** Reads the weeks and spot lengths of products that have a price whose window is open. */
const PRICED = statement(
  'read-priced-weeks',
  ['seller', 'buyer', 'agreement_ids', 'product_ids', 'weeks'],
  `select product_id, week, spot_length, bool_or(visible_to is not null) as quoted from (
      select distinct on (product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, visible_to)
        product_id, week, spot_length, visible_to, window_opens, window_closes
      from rate_entries
      where seller = :seller and ${IN_SIGHT(':buyer', ':seller')} and (agreement_id is null or agreement_id = any(:agreement_ids::text[]))
        and product_id = any(:product_ids::text[]) and week = any(:weeks::text[])
      order by product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, visible_to, commit_no desc
    ) current
    where (window_opens is null or window_opens <= now()) and (window_closes is null or window_closes > now())
    group by product_id, week, spot_length`,
)

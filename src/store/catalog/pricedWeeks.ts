import type { Database } from '../connection/database.ts'
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
  /** Of the buyer, in force. */
  readonly agreementIds: readonly string[]
  readonly productIds: readonly string[]
  readonly weeks: readonly string[]
}

/** What of the current card a buyer may see can be ordered now, without the prices. */
export async function readPricedWeeks({ pool }: Pick<Database, 'pool'>, ask: PricedQuestion): Promise<PricedWeek[]> {
  const values = [ask.seller, ask.buyer, ask.agreementIds, ask.productIds, ask.weeks]
  const { rows } = await pool.query<PricedWeek>({ ...PRICED, values })
  return rows
}

const PRICED = {
  name: 'read-priced-weeks',
  text: `select product_id, week, spot_length, bool_or(visible_to is not null) as quoted from (
      select distinct on (product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, visible_to)
        product_id, week, spot_length, visible_to, window_opens, window_closes
      from rate_entries
      where seller = $1 and ${IN_SIGHT('$2', '$1')} and (agreement_id is null or agreement_id = any($3::text[]))
        and product_id = any($4::text[]) and week = any($5::text[])
      order by product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, agreement_id, visible_to, commit_no desc
    ) current
    where (window_opens is null or window_opens <= now()) and (window_closes is null or window_closes > now())
    group by product_id, week, spot_length`,
}

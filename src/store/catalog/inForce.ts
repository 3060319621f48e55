import { type Kysely, sql } from 'kysely'
import type { Avail } from '../../contract/avail.ts'
import type { RateEntry } from '../../contract/rateCard.ts'
import type { Tables } from '../connection/tables.ts'
import { utcText } from '../connection/utcText.ts'
import { LINES_OF } from '../orders/renderSnapshot.ts'
import { IS_OPEN } from '../orders/waits.ts'
import { isPublished } from './unpublished.ts'

/** Returns the published avail in the place of each of these avails, in their order. */
export async function findAvails(db: Kysely<Tables>, seller: string, avails: readonly Avail[]): Promise<(Avail | undefined)[]> {
  const { rows } = await sql<{ body: Avail | null }>`
    select a.body from unnest(${avails.map(({ product_id }) => product_id)}::text[], ${avails.map(({ period }) => period.grain)}::text[],
        ${avails.map(({ period }) => period.start)}::text[]) with ordinality as sent(product_id, grain, start, n)
      left join avails a on a.seller = ${seller} and (a.product_id, a.grain, a.start) = (sent.product_id, sent.grain, sent.start)
    order by n`.execute(db)
  return rows.map(({ body }) => body ?? undefined)
}

/** A price in force: its id, and what a card's entry states about it. */
export interface PublishedPrice {
  readonly locked_rate_id: string
  readonly price: object
}

const utc = (column: string) => sql.raw(utcText(column))

/** Returns the price in force for each entry's key in a week, in one scope (null: the open card), in the entries' order. */
export async function findPrices(
  db: Kysely<Tables>,
  seller: string,
  agreementId: string | null,
  keys: readonly { readonly week: string; readonly entry: RateEntry }[],
): Promise<(PublishedPrice | undefined)[]> {
  const column = (of: (entry: RateEntry) => unknown) => keys.map(({ entry }) => of(entry) ?? null)
  const { rows } = await sql<{ price: PublishedPrice | null }>`
    select (select json_build_object('locked_rate_id', locked_rate_id, 'price', json_strip_nulls(json_build_object(
          'spot_length', r.spot_length, 'market_class', r.market_class, 'advertiser_class', r.advertiser_class, 'buy_type', r.buy_type,
          'clearance_tier', r.clearance_tier, 'gross_rate_unit', gross_rate_unit, 'gross_rate_cpm', gross_rate_cpm, 'currency', currency,
          'guaranteed_impressions', guaranteed_impressions, 'audience_code', audience_code, 'window_opens', ${utc('window_opens')},
          'window_closes', ${utc('window_closes')}, 'quote_expires_at', ${utc('quote_expires_at')})))
        from rate_entries r
        where r.seller = ${seller} and r.product_id = sent.product_id and r.week = sent.week and r.spot_length = sent.spot_length
          and r.market_class = sent.market_class and r.advertiser_class = sent.advertiser_class and r.buy_type = sent.buy_type
          and r.clearance_tier is not distinct from sent.clearance_tier
          and r.visible_to is null and r.agreement_id is not distinct from ${agreementId}::text
          and ${sql.raw(isPublished('r.seller', 'r.commit_no'))}
        order by r.commit_no desc limit 1) as price
    from unnest(${column(({ product_id }) => product_id)}::text[], ${keys.map(({ week }) => week)}::text[],
        ${column(({ spot_length }) => spot_length)}::int[], ${column(({ market_class }) => market_class)}::text[],
        ${column(({ advertiser_class }) => advertiser_class)}::text[], ${column(({ buy_type }) => buy_type)}::text[],
        ${column(({ clearance_tier }) => clearance_tier)}::text[])
      with ordinality as sent(product_id, week, spot_length, market_class, advertiser_class, buy_type, clearance_tier, n)
    order by n`.execute(db)
  return rows.map(({ price }) => price ?? undefined)
}

/** The most open orders that are checked. */
const MAX_ORDERS = 2_000

/** Counts a seller's open orders that cite one of these prices, among its newest 2,000. */
export async function openOrdersCiting(db: Kysely<Tables>, seller: string, lockedRateIds: readonly string[]): Promise<number> {
  if (lockedRateIds.length === 0) return 0
  const { rows } = await sql<{ orders: number }>`
    select count(distinct order_id)::int as orders from (
      select order_id, snapshot_lines from orders where seller = ${seller} and ${sql.raw(IS_OPEN)} order by order_id desc limit ${MAX_ORDERS}) open,
      json_array_elements(${sql.raw(LINES_OF('open'))}) line
    where line->'rate'->>'locked_rate_id' = any(${lockedRateIds}::text[])`.execute(db)
  return rows[0]?.orders ?? 0
}

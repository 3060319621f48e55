import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Avail } from '../../contract/avail.ts'
import type { Product } from '../../contract/product.ts'
import type { AvailState, BuyType, Grain, MarketClass, QuoteEnd } from '../../contract/vocabulary.ts'
import type { PricedValue } from '../../domain/publish/unpriced.ts'
import type { DefaultTime, OptionalTime } from '../connection/columnTypes.ts'

/** The tables of what sellers publish: products, prices and avails. */
export interface CatalogTables {
  products: {
    seller: string
    product_id: string
    external_ref: string | null
    minted_for: Generated<string | null>
    body: JSONColumnType<Product>
    visibility: GeneratedAlways<Product['visibility']>
    sold_until: GeneratedAlways<string>
    reader: GeneratedAlways<string>
    added_by: Generated<string>
    replaced_by: Generated<string>
    updated_at: DefaultTime
  }
  seller_offers: { seller: string; reader: string; visibility: Product['visibility']; grain: Grain; sold_until: string }
  rate_commits: {
    seller: string
    commit: string
    commit_no: GeneratedAlways<string>
    agreement_id: string | null
    visible_to: Generated<string | null>
    order_id: Generated<string | null>
    effective: string
    body_sha256: Buffer
    reply: string
    published_at: DefaultTime
  }
  priced_values: {
    seller: string
    product_id: string
    agreement_id: string
    member: PricedValue['member']
    value: string
    commit_no: string
  }
  rate_entries: {
    locked_rate_id: string
    seller: string
    commit: string
    commit_no: string
    agreement_id: string | null
    visible_to: string | null
    product_id: string
    week: string
    market_class: MarketClass
    advertiser_class: string
    spot_length: number
    buy_type: BuyType
    clearance_tier: string | null
    gross_rate_unit: string | null
    gross_rate_cpm: string | null
    currency: string
    guaranteed_impressions: string | null
    audience_code: string | null
    window_opens: OptionalTime
    window_closes: OptionalTime
    quote_expires_at: OptionalTime
    quote_id: Generated<string | null>
  }
  ended_quotes: { ended_id: string; seller: string; buyer_entity: string; reason: QuoteEnd; ended_at: DefaultTime }
  avails: {
    seller: string
    product_id: string
    grain: Grain
    start: string
    state: AvailState
    body: JSONColumnType<Avail>
    updated_at: DefaultTime
  }
  avails_requests: {
    request_id: string
    seller: string
    buyer_entity: string
    product_id: string
    grain: Grain
    start: string
    agreement_id: string
    note: string | null
    requested_at: DefaultTime
    answered_at: OptionalTime
  }
}

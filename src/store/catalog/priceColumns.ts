/** The columns of `rate_entries` that define a price, each with its type. Cards and quotes both write them. */
export const PRICE_COLUMNS = {
  product_id: 'text',
  market_class: 'text',
  advertiser_class: 'text',
  spot_length: 'integer',
  buy_type: 'text',
  clearance_tier: 'text',
  gross_rate_unit: 'numeric',
  gross_rate_cpm: 'numeric',
  currency: 'text',
  guaranteed_impressions: 'bigint',
  audience_code: 'text',
  quote_expires_at: 'timestamptz',
} as const

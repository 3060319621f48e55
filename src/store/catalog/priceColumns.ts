/** The columns of `rate_entries` that say what a price is, each with its type: what cards and quotes write alike. */
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

/** The same columns as parameters of one statement, an array per column, from a place on: `$6::text[], $7::text[]`. */
export function arraysOf(columns: Readonly<Record<string, string>>, from: number): string {
  return Object.values(columns)
    .map((type, index) => `$${from + index}::${type}[]`)
    .join(', ')
}

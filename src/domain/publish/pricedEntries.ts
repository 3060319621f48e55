import type { CatalogTerms } from './productTerms.ts'
import type { Parsed } from './staged.ts'
import type { PricedEntry } from './stageRateCard.ts'
import type { PricedValue } from './unpriced.ts'

/** Returns the distinct values of products that the accepted entries price. */
export function pricedValues(entries: readonly PricedEntry[]): PricedValue[] {
  const values = new Map<string, PricedValue>()
  for (const { entry, weeks } of entries) {
    if (weeks.length === 0) continue
    const { product_id, audience_code, clearance_tier } = entry
    const priced = [
      ['buy_type', entry.buy_type],
      ['spot_length', String(entry.spot_length)],
      ['advertiser_class', entry.advertiser_class],
      ['market_class', entry.market_class],
      ...(audience_code === undefined ? [] : [['currency', audience_code] as const]),
      ...(clearance_tier === undefined ? [] : [['clearance_tier', clearance_tier] as const]),
    ] as const
    for (const [member, value] of priced) values.set(`${product_id}\u0000${member}\u0000${value}`, { product_id, member, value })
  }
  return [...values.values()]
}

/** Returns each product that a commit prices, with the index of its first entry, under which its warnings are listed. */
export function firstEntries(accepted: readonly PricedEntry[], products: ReadonlyMap<string, CatalogTerms>): Parsed<CatalogTerms>[] {
  const first = new Map<string, Parsed<CatalogTerms>>()
  for (const { index, entry } of accepted) {
    const value = products.get(entry.product_id)
    if (value !== undefined && !first.has(entry.product_id)) first.set(entry.product_id, { index, value })
  }
  return [...first.values()]
}

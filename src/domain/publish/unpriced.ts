import type { EntryWarning } from '../../contract/product.ts'
import type { Unpriced } from '../../contract/publishedReads.ts'
import { byProduct } from './byProduct.ts'
import type { CatalogTerms } from './productTerms.ts'
import type { Parsed } from './staged.ts'

/** Members of a product that rate entries price, by their names in unpriced[]. */
export type DeclaredMember = 'buy_type' | 'spot_length' | 'advertiser_class' | 'currency'

/** A value that a rate entry of a product prices; numbers as text. */
export interface PricedValue {
  readonly product_id: string
  readonly member: DeclaredMember | 'market_class' | 'clearance_tier'
  readonly value: string
}

/**
 * Returns the declared values that no rate entry prices. They are not orderable; an audience currency has no guarantee
 * (contract, Unpriced). A currency is priced if an entry's audience_code equals it (choices, Product, further fields).
 */
export function unpricedOf(product: CatalogTerms, priced: readonly PricedValue[]): Unpriced[] {
  const has = new Set(priced.map(({ member, value }) => `${member}:${value}`))
  const without = <V extends string | number>(member: DeclaredMember, declared: readonly V[] = []): V[] =>
    declared.filter((value) => !has.has(`${member}:${value}`))
  return [
    ...without('buy_type', product.buy_types).map((buy_type) => ({ buy_type, effect: 'not_orderable' as const })),
    ...without('spot_length', product.spot_lengths).map((spot_length) => ({ spot_length, effect: 'not_orderable' as const })),
    ...without('advertiser_class', product.advertiser_classes).map((advertiser_class) => ({
      advertiser_class,
      effect: 'not_orderable' as const,
    })),
    ...without('currency', product.currencies).map((currency) => ({ currency, effect: 'no_guarantee' as const })),
  ]
}

/** The most warnings of a reply. Reads list every value in unpriced[]. */
const MAX_WARNINGS = 100_000

/** Returns UNPRICED_DECLARATION for each declared value that no rate entry prices (contract, One write model: unpriced; choices, Product, further fields). */
export function unpricedWarnings(
  products: readonly Parsed<CatalogTerms>[],
  priced: readonly PricedValue[],
  max = MAX_WARNINGS,
): EntryWarning[] {
  const pricedOf = byProduct(priced)
  const warnings: EntryWarning[] = []
  for (const { index, value: product } of products) {
    const { product_id } = product
    for (const unpriced of unpricedOf(product, pricedOf.get(product_id) ?? [])) {
      if (warnings.length === max)
        return [...warnings, { index, code: 'MORE_WARNINGS', message: 'More values are unpriced. The catalog read lists all of them.' }]
      warnings.push({ index, code: 'UNPRICED_DECLARATION', product_id, ...unpriced, message: warning(product_id, unpriced) })
    }
  }
  return warnings
}

function warning(product_id: string, { effect, ...declared }: Unpriced): string {
  const [[member, value] = []] = Object.entries(declared)
  const consequence = effect === 'no_guarantee' ? 'no guarantee can be ordered in it' : 'it cannot be ordered'
  return `${product_id} declares the ${member} ${value}, which no rate entry prices: ${consequence}.`
}

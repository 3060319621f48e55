import type { VISIBILITIES } from '../../contract/vocabulary.ts'

/** The part of its seller's catalog that an agreement in force unlocks. */
export interface Unlocks {
  /** `*` or a list of product ids. */
  readonly catalog_scope: '*' | readonly string[]
}

interface Visible {
  readonly product_id: string
  readonly visibility: (typeof VISIBILITIES)[number]
}

/**
 * Returns the products that a buyer may see: open ones, and by_agreement ones that an agreement in force with this seller names
 * (contract, Product: visibility; Agreement: catalog_scope). Any other product is reported as unknown.
 */
export function visibleProducts<P extends Visible>(products: readonly P[], agreements: readonly Unlocks[]): P[] {
  return products.filter(isVisibleUnder(agreements))
}

/** Returns the same rule as a predicate for single products. */
export function isVisibleUnder(agreements: readonly Unlocks[]): (product: Visible) => boolean {
  const all = agreements.some(({ catalog_scope }) => catalog_scope === '*')
  const named = new Set(agreements.flatMap(({ catalog_scope }) => (catalog_scope === '*' ? [] : catalog_scope)))
  return ({ product_id, visibility }) => visibility === 'open' || all || named.has(product_id)
}

/** Removes mirror_product_id if the buyer cannot see the mirror. Visible are these products and those in the second argument. */
export function withoutHiddenMirrors<P extends { readonly product_id: string; readonly mirror_product_id?: string | undefined }>(
  visible: readonly P[],
  others: readonly string[] = [],
): P[] {
  const seen = new Set([...visible.map(({ product_id }) => product_id), ...others])
  return visible.map((product) => {
    if (product.mirror_product_id === undefined || seen.has(product.mirror_product_id)) return product
    const { mirror_product_id: _, ...rest } = product
    return rest as P
  })
}

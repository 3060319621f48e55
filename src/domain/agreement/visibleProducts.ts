import type { VISIBILITIES } from '../../contract/vocabulary.ts'

/** What an agreement in force unlocks of its seller's catalog. */
export interface Unlocks {
  /** `*`, or the product ids named. */
  readonly catalog_scope: '*' | readonly string[]
}

interface Sighted {
  readonly product_id: string
  readonly visibility: (typeof VISIBILITIES)[number]
}

/**
 * The products that a buyer may see: open ones, and those by agreement that one of the buyer's agreements in force with this seller names
 * (spec, Product: visibility; Agreement: catalog_scope). A product that is not among them reads as unknown everywhere.
 */
export function visibleProducts<P extends Sighted>(products: readonly P[], agreements: readonly Unlocks[]): P[] {
  return products.filter(isVisibleUnder(agreements))
}

/** The same of one product after another. */
export function isVisibleUnder(agreements: readonly Unlocks[]): (product: Sighted) => boolean {
  const all = agreements.some(({ catalog_scope }) => catalog_scope === '*')
  const named = new Set(agreements.flatMap(({ catalog_scope }) => (catalog_scope === '*' ? [] : catalog_scope)))
  return ({ product_id, visibility }) => visibility === 'open' || all || named.has(product_id)
}

/** A mirror that is out of sight is not named either; in sight are these products, and the others named. */
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

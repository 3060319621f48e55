import type { Product } from '../../contract/product.ts'
import type { Unlocks } from './visibleProducts.ts'

export type Disclosure = Product['disclosure']

/** One entry of an agreement's disclosure_overrides; an omitted field falls through. */
export interface DisclosureOverride {
  /** A product, or `*` for all. */
  readonly product_id: string
  readonly pricing_policy?: Disclosure['pricing_policy'] | undefined
  readonly avails_policy?: Disclosure['avails_policy'] | undefined
}

/** Overrides by product_id, for fast lookup: both the catalog and the agreement may be large. */
export type Overrides = ReadonlyMap<string, DisclosureOverride>

export const NO_OVERRIDES: Overrides = new Map()

/** Returns the overrides of the presented agreement, or of the only agreement in force (choices, Presenting an agreement). */
export function overridesOf(
  agreements: readonly (Disclosing & { readonly agreement_id: string })[],
  presented: string | undefined,
): Overrides {
  const shown = presented === undefined ? agreements : agreements.filter(({ agreement_id }) => agreement_id === presented)
  const [speaking, ...others] = shown
  return speaking === undefined || others.length > 0 ? NO_OVERRIDES : overridesOfOne(speaking)
}

/** Returns the overrides of one agreement. An override of a product outside its catalog_scope has no effect (contract, Agreement). */
export function overridesOfOne({ catalog_scope, disclosure_overrides = [] }: Disclosing): Overrides {
  const scope = catalog_scope === '*' ? undefined : new Set(['*', ...catalog_scope])
  const inScope = disclosure_overrides.filter(({ product_id }) => scope?.has(product_id) ?? true)
  return new Map(inScope.map((override) => [override.product_id, override]))
}

/** The members of an agreement that decide what is disclosed to its buyer. */
export interface Disclosing extends Unlocks {
  readonly disclosure_overrides?: readonly DisclosureOverride[] | undefined
}

/** Resolves each field from the override of the product, then of `*`, then the product itself, then `published` (contract, Agreement). */
export function disclosureFor(product: Pick<Product, 'product_id' | 'disclosure'>, overrides: Overrides): Disclosure {
  const own = overrides.get(product.product_id)
  const all = overrides.get('*')
  return {
    pricing_policy: own?.pricing_policy ?? all?.pricing_policy ?? product.disclosure.pricing_policy,
    avails_policy: own?.avails_policy ?? all?.avails_policy ?? product.disclosure.avails_policy,
  }
}

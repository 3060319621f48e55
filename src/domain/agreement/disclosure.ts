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

/** Overrides by product_id: a catalog of many products is disclosed under an agreement with many overrides. */
export type Overrides = ReadonlyMap<string, DisclosureOverride>

export const NO_OVERRIDES: Overrides = new Map()

/** Whose overrides speak: those of the agreement presented, else of the only one there is (choices, Presenting an agreement). */
export function overridesOf(
  agreements: readonly (Disclosing & { readonly agreement_id: string })[],
  presented: string | undefined,
): Overrides {
  const shown = presented === undefined ? agreements : agreements.filter(({ agreement_id }) => agreement_id === presented)
  const [speaking, ...others] = shown
  return speaking === undefined || others.length > 0 ? NO_OVERRIDES : overridesOfOne(speaking)
}

/** What one agreement overrides: an override naming a product outside its catalog_scope is a no-op (spec, Agreement). */
export function overridesOfOne({ catalog_scope, disclosure_overrides = [] }: Disclosing): Overrides {
  const scope = catalog_scope === '*' ? undefined : new Set(['*', ...catalog_scope])
  const inScope = disclosure_overrides.filter(({ product_id }) => scope?.has(product_id) ?? true)
  return new Map(inScope.map((override) => [override.product_id, override]))
}

/** An agreement, as far as it says what is disclosed to its buyer. */
export interface Disclosing extends Unlocks {
  readonly disclosure_overrides?: readonly DisclosureOverride[] | undefined
}

/** Per field: the override of the product, then of `*`, then the product's own, then published (spec, Agreement). */
export function disclosureFor(product: Pick<Product, 'product_id' | 'disclosure'>, overrides: Overrides): Disclosure {
  const own = overrides.get(product.product_id)
  const all = overrides.get('*')
  return {
    pricing_policy: own?.pricing_policy ?? all?.pricing_policy ?? product.disclosure.pricing_policy,
    avails_policy: own?.avails_policy ?? all?.avails_policy ?? product.disclosure.avails_policy,
  }
}

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

/** Whose overrides speak: those of the agreement presented, else of the only one there is (choices, Presenting an agreement). */
export function overridesOf(
  agreements: readonly (Disclosing & { readonly agreement_id: string })[],
  presented: string | undefined,
): readonly DisclosureOverride[] {
  const shown = presented === undefined ? agreements : agreements.filter(({ agreement_id }) => agreement_id === presented)
  const [speaking, ...others] = shown
  return speaking === undefined || others.length > 0 ? [] : overridesOfOne(speaking)
}

/** What one agreement overrides: an override naming a product outside its catalog_scope is a no-op (spec, Agreement). */
export function overridesOfOne({ catalog_scope, disclosure_overrides = [] }: Disclosing): readonly DisclosureOverride[] {
  if (catalog_scope === '*') return disclosure_overrides
  return disclosure_overrides.filter(({ product_id }) => product_id === '*' || catalog_scope.includes(product_id))
}

/** An agreement, as far as it says what is disclosed to its buyer. */
export interface Disclosing extends Unlocks {
  readonly disclosure_overrides?: readonly DisclosureOverride[] | undefined
}

/** Per field: the override of the product, then of `*`, then the product's own, then published (spec, Agreement). */
export function disclosureFor(product: Pick<Product, 'product_id' | 'disclosure'>, overrides: readonly DisclosureOverride[]): Disclosure {
  const own = overrides.find(({ product_id }) => product_id === product.product_id)
  const all = overrides.find(({ product_id }) => product_id === '*')
  return {
    pricing_policy: own?.pricing_policy ?? all?.pricing_policy ?? product.disclosure.pricing_policy,
    avails_policy: own?.avails_policy ?? all?.avails_policy ?? product.disclosure.avails_policy,
  }
}

import type { Product } from '../../contract/product.ts'

export type Disclosure = Product['disclosure']

/** One entry of an agreement's disclosure_overrides; an omitted field falls through. */
export interface DisclosureOverride {
  /** A product, or `*` for all. */
  readonly product_id: string
  readonly pricing_policy?: Disclosure['pricing_policy'] | undefined
  readonly avails_policy?: Disclosure['avails_policy'] | undefined
}

/** Whose overrides speak: those of the agreement presented, else of the only one there is (choices, Presenting an agreement). */
export function overridesOf(agreements: readonly Disclosing[], presented: string | undefined): readonly DisclosureOverride[] {
  const shown = presented === undefined ? agreements : agreements.filter(({ agreement_id }) => agreement_id === presented)
  const [speaking, ...others] = shown
  return others.length > 0 ? [] : (speaking?.disclosure_overrides ?? [])
}

interface Disclosing {
  readonly agreement_id: string
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

/** What a seller has shown and declared, as far as its level depends on it. */
export interface Conformance {
  readonly has_products: boolean
  /** It published or decided over the API at least once. */
  readonly uses_api: boolean
}

/** The level on the sellers list, computed and cumulative (choices, Sellers' levels and gates): each step counts only on top of all before. */
export function conformanceLevel(seller: Conformance): number {
  const steps = [seller.has_products && seller.uses_api]
  const missing = steps.indexOf(false)
  return missing === -1 ? steps.length : missing
}

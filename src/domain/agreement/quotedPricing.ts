import type { Disclosure } from './disclosure.ts'

type Pricing = Pick<Disclosure, 'pricing_policy'>

/** Whether a product has no price but those that its seller quotes per campaign. */
export function isPricedByQuote({ pricing_policy }: Pricing): boolean {
  return pricing_policy === 'quote'
}

/**
 * Whether a product is shown and sold at a price that its buyer may see: one priced by quote at the buyer's own quotes only (choices, Price
 * clearance).
 */
export function sellsAt(product: Pricing, { isOwnQuote }: { isOwnQuote: boolean }): boolean {
  return isOwnQuote || !isPricedByQuote(product)
}

import type { Disclosure } from './disclosure.ts'

type Pricing = Pick<Disclosure, 'pricing_policy'>

/** Returns true if a product has only the prices that its seller quotes per campaign. */
export function isPricedByQuote({ pricing_policy }: Pricing): boolean {
  return pricing_policy === 'quote'
}

/**
 * Returns true if a product is shown and sold at a price its buyer may see: if priced by quote, only at the buyer's quotes (choices, Price
 * clearance).
 */
export function sellsAt(product: Pricing, { isOwnQuote }: { isOwnQuote: boolean }): boolean {
  return isOwnQuote || !isPricedByQuote(product)
}

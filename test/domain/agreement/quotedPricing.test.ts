import { describe, expect, it } from '@jest/globals'
import { isPricedByQuote, sellsAt } from '../../../src/domain/agreement/quotedPricing.ts'

describe('a product priced by quote', () => {
  const quoted = { pricing_policy: 'quote' } as const

  it("is shown and sold at the buyer's own quotes, and at no price of the card", () => {
    expect(isPricedByQuote(quoted)).toBe(true)
    expect(sellsAt(quoted, { isOwnQuote: true })).toBe(true)
    expect(sellsAt(quoted, { isOwnQuote: false })).toBe(false)
  })
})

describe('any other product', () => {
  const published = { pricing_policy: 'published' } as const

  it("is shown and sold at prices of the card and at the buyer's own quotes", () => {
    expect(isPricedByQuote(published)).toBe(false)
    expect(sellsAt(published, { isOwnQuote: true })).toBe(true)
    expect(sellsAt(published, { isOwnQuote: false })).toBe(true)
  })
})

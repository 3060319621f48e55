import { describe, expect, it } from '@jest/globals'
import { type Held, pricesSeenBy } from '../../../src/domain/discovery/audience.ts'

const disclosure = { pricing_policy: 'published' as const, avails_policy: 'published' as const }
const products = [
  { product_id: 'open', visibility: 'open' as const, disclosure },
  { product_id: 'quoted', visibility: 'open' as const, disclosure: { ...disclosure, pricing_policy: 'quote' as const } },
  { product_id: 'scoped', visibility: 'by_agreement' as const, disclosure },
]
const held = (agreement_id: string, more: Partial<Held> = {}): Held => ({ agreement_id, catalog_scope: ['quoted'], ...more })
const seen = (agreements: Held[], agreementId: string | null = null) =>
  pricesSeenBy({ buyers: ['b'], agreements }, products, agreementId).map(({ product_id }) => product_id)
const quoteAll = { disclosure_overrides: [{ product_id: '*', pricing_policy: 'quote' as const }] }
const openQuoted = { disclosure_overrides: [{ product_id: 'quoted', pricing_policy: 'published' as const }] }

describe('pricesSeenBy', () => {
  it('shows strangers the open products that are priced openly', () => expect(seen([])).toEqual(['open']))

  it('adds what an agreement unlocks', () => expect(seen([held('a', { catalog_scope: ['scoped'] })])).toEqual(['open', 'scoped']))

  it('lets the only agreement open and close prices, presented or not', () => {
    expect(seen([held('a', openQuoted)])).toEqual(['open', 'quoted'])
    expect(seen([held('a', quoteAll)])).toEqual([])
  })

  it('lets no agreement override what is outside its catalog_scope (contract, Agreement)', () => {
    expect(seen([held('a', { ...openQuoted, catalog_scope: ['scoped'] })])).toEqual(['open', 'scoped'])
  })

  it('counts every agreement that could be presented, and none, when there are several', () => {
    expect(seen([held('a', quoteAll), held('b', openQuoted)])).toEqual(['open', 'quoted'])
  })

  it('shows a scoped card to those who hold its agreement alone', () => {
    expect(seen([], 'a')).toEqual([])
    expect(seen([held('b')], 'a')).toEqual([])
    expect(seen([held('a'), held('b', openQuoted)], 'a')).toEqual(['open'])
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Product } from '../../../src/contract/product.ts'
import { type DisclosureOverride, disclosureFor } from '../../../src/domain/agreement/disclosure.ts'
import { visibleProducts } from '../../../src/domain/agreement/visibleProducts.ts'
import { denomination } from '../../../src/domain/publish/stageAvails.ts'
import { unpricedOf } from '../../../src/domain/publish/unpriced.ts'
import { weekSelection } from '../../../src/domain/publish/weekSelection.ts'
import { aProduct } from '../../support/published.ts'

describe('visibleProducts', () => {
  const products = [
    { product_id: 'open', visibility: 'open' as const },
    { product_id: 'a', visibility: 'by_agreement' as const },
    { product_id: 'b', visibility: 'by_agreement' as const },
  ]
  it.each([
    [[], ['open']],
    [[{ catalog_scope: ['a', 'x'] }], ['open', 'a']],
    [
      [{ catalog_scope: ['a'] }, { catalog_scope: ['b'] }],
      ['open', 'a', 'b'],
    ],
    [
      [{ catalog_scope: ['a'] }, { catalog_scope: '*' as const }],
      ['open', 'a', 'b'],
    ],
    [[{ catalog_scope: [] }], ['open']],
  ])('under %j shows %j', (agreements, ids) => {
    expect(visibleProducts(products, agreements).map(({ product_id }) => product_id)).toEqual(ids)
  })
})

describe('disclosureFor', () => {
  it('asks per field the override of the product, then of all, then the product', () => {
    const pricing = fc.constantFrom('published' as const, 'quote' as const)
    const avails = fc.constantFrom('published' as const, 'on_request' as const, 'withheld' as const)
    const fields = fc.record({ pricing_policy: pricing, avails_policy: avails }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.option(fields), fc.option(fields), fc.record({ pricing_policy: pricing, avails_policy: avails }), (own, all, base) => {
        const overrides: DisclosureOverride[] = [
          { product_id: 'other', pricing_policy: 'quote', avails_policy: 'withheld' },
          ...(all === null ? [] : [{ product_id: '*', ...all }]),
          ...(own === null ? [] : [{ product_id: 'p', ...own }]),
        ]
        const found = disclosureFor({ product_id: 'p', disclosure: base }, overrides)
        expect(found).toEqual({ ...base, ...all, ...own })
      }),
    )
  })
})

describe('denomination', () => {
  it.each([
    [['audience_guaranteed'], 'units'],
    [['audience_guaranteed', 'preemptible'], 'spots'],
    [['preemptible'], 'spots'],
  ] as const)('of %j is %s', (buy_types, counts) => {
    expect(denomination({ buy_types })).toBe(counts)
  })
})

describe('unpricedOf', () => {
  it('names each declared value that no entry prices, with what follows from it', () => {
    const product = Product.parse(
      aProduct('p', { buy_types: ['preemptible'], spot_lengths: [15, 30], advertiser_classes: ['auto'], currencies: ['HH', 'A25'] }),
    )
    const priced = [
      { product_id: 'p', member: 'spot_length', value: '30' },
      { product_id: 'p', member: 'currency', value: 'HH' },
      { product_id: 'p', member: 'advertiser_class', value: '15' },
    ] as const
    expect(unpricedOf(product, priced)).toEqual([
      { buy_type: 'preemptible', effect: 'not_orderable' },
      { spot_length: 15, effect: 'not_orderable' },
      { advertiser_class: 'auto', effect: 'not_orderable' },
      { currency: 'A25', effect: 'no_guarantee' },
    ])
  })
})

describe('weekSelection', () => {
  it('reads weeks, lists and ranges across the turn of a long year', () => {
    expect(weekSelection('2026-W50, 2026-W53..2027-W01')).toEqual([
      { from: '2026-W50', to: '2026-W50', first_day: '2026-12-07', last_day: '2026-12-13' },
      { from: '2026-W53', to: '2027-W01', first_day: '2026-12-28', last_day: '2027-01-10' },
    ])
  })

  it.each(['', '2026-W54', '2025-W53', '2026-W02..2026-W01', '2026-W01..', '..2026-W01', '2026-W01,,2026-W02'])('refuses %j', (text) => {
    expect(() => weekSelection(text)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', details: { field: 'weeks' } }))
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Product } from '../../../src/contract/product.ts'
import { type DisclosureOverride, disclosureFor, overridesOf } from '../../../src/domain/agreement/disclosure.ts'
import { visibleProducts } from '../../../src/domain/agreement/visibleProducts.ts'
import { weekSelection } from '../../../src/domain/discovery/weekSelection.ts'
import { denomination } from '../../../src/domain/publish/stageAvails.ts'
import { unpricedOf, unpricedWarnings } from '../../../src/domain/publish/unpriced.ts'
import { aProduct } from '../../support/orders/published.ts'

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

describe('visibleProducts: the algebra of scopes', () => {
  const products = ['a', 'b', 'c', 'd'].map((product_id) => ({
    product_id,
    visibility: product_id === 'a' ? ('open' as const) : ('by_agreement' as const),
  }))
  const scope = fc.oneof(fc.constant('*' as const), fc.subarray(['a', 'b', 'c', 'd', 'elsewhere']))
  const seen = (scopes: ('*' | string[])[]) =>
    new Set(
      visibleProducts(
        products,
        scopes.map((catalog_scope) => ({ catalog_scope })),
      ).map(({ product_id }) => product_id),
    )

  it('unites what each agreement unlocks, hides nothing that is open, and shows nothing that there is not', () => {
    fc.assert(
      fc.property(fc.array(scope, { maxLength: 4 }), (scopes) => {
        const united = new Set(['a', ...scopes.flatMap((one) => [...seen([one])])])
        expect(seen(scopes)).toEqual(united)
        for (const { product_id } of products) {
          const unlocked = scopes.some((one) => one === '*' || one.includes(product_id))
          expect(seen(scopes).has(product_id)).toBe(product_id === 'a' || unlocked)
        }
      }),
    )
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
        const found = disclosureFor({ product_id: 'p', disclosure: base }, new Map(overrides.map((each) => [each.product_id, each])))
        expect(found).toEqual({ ...base, ...all, ...own })
      }),
    )
  })
})

describe('overridesOf', () => {
  const overrides = [
    { product_id: '*', avails_policy: 'on_request' as const },
    { product_id: 'inside', pricing_policy: 'quote' as const },
    { product_id: 'outside', pricing_policy: 'quote' as const },
  ]
  const held = (agreement_id: string, catalog_scope: '*' | string[]) => ({ agreement_id, catalog_scope, disclosure_overrides: overrides })

  it('ignores an override that names a product outside catalog_scope (contract, Agreement)', () => {
    expect([...overridesOf([held('a', ['inside'])], undefined).keys()]).toEqual(['*', 'inside'])
    expect([...overridesOf([held('a', '*')], undefined).values()]).toEqual(overrides)
  })

  it('asks the agreement presented, else the only one there is', () => {
    const several = [held('a', []), held('b', '*')]
    expect([...overridesOf(several, 'b').values()]).toEqual(overrides)
    expect(overridesOf(several, undefined).size).toBe(0)
    expect(overridesOf([], undefined).size).toBe(0)
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

describe('unpricedWarnings', () => {
  it('names as many as a reply carries, and says that there are more', () => {
    const products = ['a', 'b'].map((id, index) => ({ index, value: Product.parse(aProduct(id, { spot_lengths: [15, 30] })) }))
    expect(unpricedWarnings(products, [], 6).map(({ code }) => code)).toEqual(Array(6).fill('UNPRICED_DECLARATION'))
    const cut = unpricedWarnings(products, [], 4)
    expect(cut.map(({ index, code }) => [index, code]).slice(3)).toEqual([
      [1, 'UNPRICED_DECLARATION'],
      [1, 'MORE_WARNINGS'],
    ])
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

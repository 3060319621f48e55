import { describe, expect, it } from '@jest/globals'
import { notOnSale } from '../../../src/domain/publish/onSale.ts'
import { firstEntries, pricedValues } from '../../../src/domain/publish/pricedEntries.ts'
import { priceWarnings } from '../../../src/domain/publish/priceWarnings.ts'
import { type CatalogTerms, type ProductTerms, termsOf } from '../../../src/domain/publish/productTerms.ts'
import type { PricedEntry } from '../../../src/domain/publish/stageRateCard.ts'
import { unorderablePrices, unsoldPeriods } from '../../../src/domain/publish/unorderable.ts'
import { type PricedValue, unpricedOf, unpricedWarnings } from '../../../src/domain/publish/unpriced.ts'
import { aProduct } from '../../support/orders/anOrder.ts'
import { anAvail, aRate } from '../../support/orders/published.ts'

const NOW = '2026-12-07T12:00:00.000Z'
const SOLD = { start: '2026-12-07', end: '2026-12-13' } // 2026-W50
const terms = (more: Partial<ProductTerms> = {}): ProductTerms => ({ ...termsOf(aProduct()), ...more })
const priced = (more: Record<string, unknown> = {}, weeks: readonly string[] = ['2026-W50'], index = 0): PricedEntry =>
  ({ index, entry: aRate('prime', more), weeks }) as PricedEntry

describe('notOnSale', () => {
  it.each([
    ['2026-12-13', { effective: SOLD }, undefined],
    ['2026-12-01', { effective: SOLD }, undefined],
    ['2026-12-14', { effective: SOLD }, 'prime was sold until 2026-12-13 and accepts no new orders.'],
    ['2026-12-14', {}, undefined],
    ['2026-12-07', { status: 'withdrawn' }, 'prime is withdrawn and accepts no new orders.'],
  ] as const)('on %s of %j: %s', (today, more, reason) => {
    const { effective: _, ...product } = aProduct()
    expect(notOnSale({ ...product, status: 'active', ...more } as never, today)).toBe(reason)
  })
})

describe('a price that no order can cite', () => {
  const why = (entry: PricedEntry, product: ProductTerms | undefined) =>
    unorderablePrices([entry], new Map(product === undefined ? [] : [['prime', product]]), NOW).map(
      ({ index, code, product_id, message }) => {
        expect([index, code, product_id]).toEqual([entry.index, 'UNORDERABLE_PRICE', 'prime'])
        return message.replace('No order can use this entry. ', '')
      },
    )
  const window = (closes: string) => ({ window: { closes } })

  it.each([
    [
      'a buy type that is not sold',
      priced({ buy_type: 'fixed_position' }),
      { buy_types: ['preemptible'] },
      /sold as preemptible, not as fixed_position/,
    ],
    ['a window that closes now', priced(window(NOW)), {}, /window has closed/],
    ['a window that closes now, as another offset writes it', priced(window('2026-12-07T14:00:00+02:00')), {}, /window has closed/],
    ['a product that is withdrawn', priced(), { status: 'withdrawn' }, /withdrawn/],
    [
      'a product that was sold until yesterday',
      priced(),
      { effective: { start: '2026-12-01', end: '2026-12-06' } },
      /sold until 2026-12-06/,
    ],
    [
      'weeks before it is sold',
      priced({}, ['2026-W48', '2026-W49']),
      { effective: SOLD },
      /sold from 2026-12-07 to 2026-12-13, which includes none/,
    ],
    ['weeks after it is sold', priced({}, ['2026-W51'], 4), { effective: SOLD }, /includes none of its weeks/],
    ['weeks in which it does not air', priced({}, ['2026-W50']), { air_weeks: ['2026-W51'] }, /airs in none of its weeks/],
  ] as const)('has %s', (_, entry, more, message) => {
    expect(why(entry, terms(more as never))).toEqual([expect.stringMatching(message)])
  })

  it.each([
    ['a window that is open', priced(window('2026-12-07T12:00:00.001Z')), {}],
    ['one week of several that is sold', priced({}, ['2026-W49', '2026-W50']), { effective: SOLD }],
    ['a week that its first day reaches', priced({}, ['2026-W51']), { effective: { start: '2026-12-20', end: '2026-12-31' } }],
    ['a week that its last day reaches', priced({}, ['2026-W51']), { effective: { start: '2026-12-01', end: '2026-12-14' } }],
    ['one week in which it airs', priced({}, ['2026-W50', '2026-W51']), { air_weeks: ['2026-W51'] }],
    ['its last day', priced(), { effective: { start: '2026-12-01', end: '2026-12-07' } }],
    ['no weeks', priced({}, []), { effective: SOLD, air_weeks: ['2026-W51'] }],
  ] as const)('is none with %s', (_, entry, more) => expect(why(entry, terms(more as never))).toEqual([]))

  it('is none of a product that is unknown, and each product is held to its own weeks', () => {
    expect(why(priced(), undefined)).toEqual([])
    const both = [priced(), { ...priced(), index: 1, entry: aRate('late') } as PricedEntry]
    const products = new Map([
      ['prime', terms({ air_weeks: ['2026-W50'] })],
      ['late', terms({ product_id: 'late', air_weeks: ['2026-W51'] })],
    ])
    expect(unorderablePrices(both, products, NOW).map(({ index }) => index)).toEqual([1])
  })
})

describe('an avail that no line can book', () => {
  const of = (grain: string, start: string, index = 3) => ({ index, value: anAvail('prime', { period: { grain, start } }) }) as never
  const why = (grain: string, start: string, more: object = {}) =>
    unsoldPeriods([of(grain, start)], new Map([['prime', { ...aProduct(), ...more } as never]])).map(({ message }) => message)

  it('has a grain that is not sold, where only days and months must be', () => {
    const weekly = { grains: ['week'] }
    expect(why('day', '2026-12-07', weekly)).toEqual(['No order can use this entry. prime is sold by week, not by day.'])
    expect(why('month', '2026-12', weekly)).toHaveLength(1)
    expect(why('week', '2026-W50', { grains: ['day'] })).toEqual([])
    expect(why('day', '2026-12-07', { grains: ['day'] })).toEqual([])
  })

  it('lies outside the dates of its product', () => {
    expect(why('day', '2026-12-14', { effective: SOLD })).toEqual([
      'No order can use this entry. prime is sold from 2026-12-07 to 2026-12-13.',
    ])
    for (const [grain, start] of [
      ['day', '2026-12-13'],
      ['day', '2026-12-07'],
      ['week', '2026-W50'],
      ['month', '2026-12'],
    ] as const)
      expect(why(grain, start, { effective: SOLD })).toEqual([])
    expect(why('week', '2026-W51', { effective: SOLD })).toHaveLength(1)
    expect(unsoldPeriods([of('day', '2030-01-01')], new Map())).toEqual([])
  })
})

describe('what no rate entry prices', () => {
  const DECLARING = {
    ...{ product_id: 'prime', buy_types: ['preemptible', 'fixed_position'], spot_lengths: [15, 30] },
    ...{ advertiser_classes: ['general', 'political'], currencies: ['C3', 'C7'] },
  } as unknown as CatalogTerms
  const PRICED: PricedValue[] = [
    { product_id: 'prime', member: 'buy_type', value: 'preemptible' },
    { product_id: 'prime', member: 'spot_length', value: '30' },
    { product_id: 'prime', member: 'advertiser_class', value: 'general' },
    { product_id: 'prime', member: 'currency', value: 'C3' },
  ]

  it('is each declared value that no entry has; only a currency is no matter of ordering', () => {
    expect(unpricedOf(DECLARING, PRICED)).toEqual([
      { buy_type: 'fixed_position', effect: 'not_orderable' },
      { spot_length: 15, effect: 'not_orderable' },
      { advertiser_class: 'political', effect: 'not_orderable' },
      { currency: 'C7', effect: 'no_guarantee' },
    ])
    const { spot_lengths: _, advertiser_classes: __, currencies: ___, ...bare } = DECLARING
    expect(unpricedOf({ ...bare, buy_types: [] } as never, [])).toEqual([])
  })

  it('is told of each product by its own prices, and the rest is said to be more', () => {
    const products = [
      { index: 0, value: DECLARING },
      { index: 5, value: { ...DECLARING, product_id: 'late' } },
    ]
    const warnings = unpricedWarnings(products, PRICED)
    expect(warnings.map(({ index }) => index)).toEqual([...Array(4).fill(0), ...Array(8).fill(5)])
    expect(warnings[0]).toEqual({
      ...{ index: 0, code: 'UNPRICED_DECLARATION', product_id: 'prime', buy_type: 'fixed_position', effect: 'not_orderable' },
      message: 'prime declares the buy_type fixed_position, which no rate entry prices: it cannot be ordered.',
    })
    expect(warnings[3]?.message).toMatch(/the currency C7, which no rate entry prices: no guarantee can be ordered in it\.$/)
    expect(unpricedWarnings(products, PRICED, 12)).toEqual(warnings)
    expect(unpricedWarnings(products, PRICED, 2)).toEqual([
      ...warnings.slice(0, 2),
      expect.objectContaining({ index: 0, code: 'MORE_WARNINGS' }),
    ])
  })

  it('is what the entries of a commit leave: those with weeks price their values, once', () => {
    const more = { audience_code: 'C3', clearance_tier: 'gold' }
    const values = pricedValues([priced(more), priced(more), priced({ spot_length: 15 }, [])]).map(
      ({ member, value }) => `${member} ${value}`,
    )
    expect(values).toEqual([
      ...[
        'buy_type preemptible',
        'spot_length 30',
        'advertiser_class general',
        'market_class scatter',
        'currency C3',
        'clearance_tier gold',
      ],
    ])
    expect(pricedValues([priced()]).map(({ member }) => member)).toEqual(['buy_type', 'spot_length', 'advertiser_class', 'market_class'])
    const known = new Map([['prime', DECLARING]])
    const entries = [priced({ product_id: 'none' }), priced({}, ['2026-W50'], 2), priced({}, ['2026-W50'], 7)]
    expect(firstEntries(entries, known)).toEqual([{ index: 2, value: DECLARING }])
  })
})

describe('warnings of a price', () => {
  it('tell once of entries without a currency, at the first', () => {
    expect(priceWarnings([priced({ currency: 'CAD' })], 'USD')).toEqual([])
    expect(priceWarnings([priced({ currency: 'CAD' }), priced({}, [], 1)], 'USD')).toEqual([
      {
        index: 1,
        code: 'DEFAULT_CURRENCY',
        product_id: 'prime',
        message: 'The entry has no currency: it is in USD, the currency of your profile.',
      },
    ])
    const [two, ...others] = priceWarnings([priced({}, [], 4), priced({}, [], 6)], 'USD')
    expect([two?.index, others]).toEqual([4, []])
    expect(two?.message).toMatch(/^2 entries have no currency: they are in USD/)
  })

  it('tell of each entry that costs nothing, by unit or by cpm', () => {
    const in_ = { currency: 'USD' }
    const entries = [
      priced({ ...in_, gross_rate_unit: 0 }, [], 1),
      priced({ ...in_, gross_rate_unit: undefined, gross_rate_cpm: 0 }, [], 2),
      priced({ ...in_, gross_rate_unit: 0.01 }, [], 3),
    ]
    expect(priceWarnings(entries, 'USD').map(({ index, code }) => [index, code])).toEqual([
      [1, 'ZERO_PRICE'],
      [2, 'ZERO_PRICE'],
    ])
  })
})

it('the weeks in which a program airs are those of its occurrences, each once; other products have none', () => {
  const occurrences = ['2026-12-08', '2026-12-13', '2026-12-14'].map((date) => ({ date, start: '20:00', end: '22:00' }))
  expect(termsOf(aProduct({ type: 'program', definition: { occurrences } })).air_weeks).toEqual(['2026-W50', '2026-W51'])
  expect(termsOf(aProduct()).air_weeks).toBeUndefined()
})

import { describe, expect, it } from '@jest/globals'
import type { CardPrice } from '../../../src/domain/discovery/availRate.ts'
import { citePrice } from '../../../src/domain/document/citePrices.ts'
import { draftLines } from '../../../src/domain/document/draftLines.ts'
import { aProduct } from '../../support/orders/anOrder.ts'

const PRODUCT = aProduct({ product_id: 'p' })
const price = (locked_rate_id: string, gross_rate_unit: string): CardPrice => ({
  locked_rate_id,
  product_id: 'p',
  week: '2030-W23',
  market_class: 'scatter',
  advertiser_class: locked_rate_id,
  spot_length: 30,
  buy_type: 'preemptible',
  clearance_tier: null,
  gross_rate_unit,
  gross_rate_cpm: null,
  currency: 'USD',
  guaranteed_impressions: null,
  audience_code: null,
  agreement_id: null,
  visible_to: null,
  window_opens: null,
  window_closes: null,
  quote_expires_at: null,
})
const PRICES = [price('lr_1', '100'), price('lr_2', '33.33'), price('lr_0', '0')]
const value = (read: string) => ({ read, at: 'A1' })

/** Cites the price of a line that states a cost, and says more, or has one chosen. */
const cited = (
  cost: string,
  more: { basis?: string; kind?: string; locked_rate_id?: string; pct?: number; prices?: readonly CardPrice[] } = {},
) => {
  const { basis, kind, locked_rate_id, pct, prices = PRICES } = more
  const read = {
    product: value('p'),
    units: value('2'),
    unit_cost: value(cost),
    period: { ...value('2030-W23'), value: { grain: 'week' as const, start: '2030-W23' } },
    ...(basis === undefined ? {} : { basis: value(basis) }),
    ...(kind === undefined ? {} : { kind: value(kind) }),
  }
  const resolutions = locked_rate_id === undefined ? [] : [{ line: 1, locked_rate_id }]
  const [draft] = draftLines([{ line: 1, read }], () => PRODUCT, resolutions)
  if (draft === undefined) throw new Error('no line')
  const { item, unresolved } = citePrice(draft, { prices, overrides: new Map(), currency: 'USD', commissionPct: pct })
  return item?.rate.locked_rate_id ?? unresolved.map(({ field, published }) => [field, published.length])
}

describe('a net price', () => {
  it.each([
    ['is the gross one less the commission of the agreement', '85', 15, 'lr_1'],
    ['is equal to it without any', '100', 0, 'lr_1'],
    ['is asked where the two differ by a fraction of a cent', '28.33', 15, [['rate', 3]]],
    ['is asked where the agreement states no commission', '85', undefined, [['rate', 3]]],
  ])('%s', (_, cost, pct, expected) => {
    expect(cited(cost, { basis: 'net', ...(pct === undefined ? {} : { pct }) })).toEqual(expected)
  })

  it('is no gross one', () => {
    expect(cited('85', { basis: 'gross', pct: 15 })).toEqual([['rate', 3]])
    expect(cited('100', { basis: 'unknown', pct: 15 })).toBe('lr_1')
  })
})

describe('a bonus line', () => {
  it('is booked at a published price of 0.00 alone, also where a price is chosen', () => {
    expect(cited('0', { kind: 'bonus' })).toBe('lr_0')
    expect(cited('0', { kind: 'bonus', locked_rate_id: 'lr_1' })).toEqual([['rate', 1]])
    expect(cited('0', { kind: 'bonus', locked_rate_id: 'lr_0' })).toBe('lr_0')
    expect(cited('0', { kind: 'bonus', prices: PRICES.slice(0, 2) })).toEqual([['rate', 0]])
  })
})

import { describe, expect, it } from '@jest/globals'
import { keysFault } from '../../../src/domain/publish/keysPerProduct.ts'
import type { PricedValue } from '../../../src/domain/publish/unpriced.ts'

const values = (product_id: string, member: PricedValue['member'], count: number): PricedValue[] =>
  Array.from({ length: count }, (_, index) => ({ product_id, member, value: `${member}-${index}` }))
const priced = (product_id: string, classes: number, lengths: number) => [
  ...values(product_id, 'advertiser_class', classes),
  ...values(product_id, 'spot_length', lengths),
  ...values(product_id, 'market_class', 1),
  ...values(product_id, 'buy_type', 1),
]

describe('the keys of a product', () => {
  it('are bounded by the combinations of what it is priced for', () => {
    expect(keysFault([], priced('p1', 100, 100))).toBeUndefined()
    expect(keysFault([], priced('p1', 100, 101))).toEqual({
      product_id: 'p1',
      combinations: 10_100,
      limit: 10_000,
      message:
        'p1 would be priced for up to 10100 combinations of market_class, advertiser_class, spot_length, buy_type, clearance_tier a week; the limit is 10000.',
    })
    expect(keysFault(priced('p1', 100, 100), values('p1', 'clearance_tier', 2))?.combinations).toBe(20_000)
  })

  it('are those of each product, and a value that is known and sent again counts once', () => {
    expect(keysFault(priced('p1', 100, 100), priced('p2', 100, 100))).toBeUndefined()
    expect(keysFault(priced('p1', 100, 100), priced('p1', 100, 100))).toBeUndefined()
  })

  it('are not counted of a product that the commit does not price', () => {
    expect(keysFault(priced('p1', 100, 101), priced('p2', 1, 1))).toBeUndefined()
  })

  it('do not depend on audiences', () => {
    expect(keysFault(priced('p1', 100, 100), values('p1', 'currency', 3))).toBeUndefined()
  })
})

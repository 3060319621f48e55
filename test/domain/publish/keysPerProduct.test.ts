import { describe, expect, it } from '@jest/globals'
import { refuseTooManyKeys } from '../../../src/domain/publish/keysPerProduct.ts'
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
    expect(() => refuseTooManyKeys(priced('p1', 100, 100))).not.toThrow()
    expect(() => refuseTooManyKeys(priced('p1', 100, 101))).toThrow(
      'p1 would be priced for up to 10100 combinations of market_class, advertiser_class, spot_length, buy_type, clearance_tier a week; the limit is 10000.',
    )
    expect(() => refuseTooManyKeys([...priced('p1', 100, 100), ...values('p1', 'clearance_tier', 2)])).toThrow('20000 combinations')
  })

  it('are those of each product, and a value that is known and sent again counts once', () => {
    expect(() => refuseTooManyKeys([...priced('p1', 100, 100), ...priced('p2', 100, 100)])).not.toThrow()
    expect(() => refuseTooManyKeys([...priced('p1', 100, 100), ...priced('p1', 100, 100)])).not.toThrow()
  })

  it('do not depend on audiences', () => {
    expect(() => refuseTooManyKeys([...priced('p1', 100, 100), ...values('p1', 'currency', 3)])).not.toThrow()
  })
})

import { describe, expect, it } from '@jest/globals'
import { postingPolicyOf } from '../../../src/domain/agreement/postingPolicy.ts'

const own = { product_id: 'p1', posting_policy: 'c3' }
const ofAll = { product_id: '*', posting_policy: 'live' }

describe('postingPolicyOf: override by product, then *, then the product, then unstated (contract, Order snapshot: posting policy)', () => {
  it('takes the override for the product before the one for all', () => {
    expect(postingPolicyOf({ product_id: 'p1', posting_policy: 'c7' }, [ofAll, own])).toEqual({ policy: 'c3', source: 'agreement_product' })
  })
  it('takes the override for all before what the product says', () => {
    expect(postingPolicyOf({ product_id: 'p2', posting_policy: 'c7' }, [ofAll, own])).toEqual({ policy: 'live', source: 'agreement_all' })
  })
  it('takes what the product says without an override', () => {
    expect(postingPolicyOf({ product_id: 'p2', posting_policy: 'c7' }, [own])).toEqual({ policy: 'c7', source: 'product' })
  })
  it('is unstated by default', () => {
    expect(postingPolicyOf({ product_id: 'p2' }, [])).toEqual({ policy: null, source: 'unstated' })
  })
})

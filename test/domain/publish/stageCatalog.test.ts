import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Product } from '../../../src/contract/product.ts'
import { stageCatalog } from '../../../src/domain/publish/stageCatalog.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { aProduct } from '../../support/orders/published.ts'

const parsed = (...products: Record<string, unknown>[]) => products.map((product, index) => ({ index, value: Product.parse(product) }))
const standing = (refs: Record<string, string | null>) =>
  Object.entries(refs).map(([product_id, external_ref]) => ({ product_id, external_ref }))
const codeOf = (act: () => unknown): [string, unknown] => {
  try {
    act()
    return ['accepted', undefined]
  } catch (error) {
    return error instanceof Refusal ? [error.code, error.details.product_ids] : ['thrown', error]
  }
}

describe('stageCatalog: external_ref', () => {
  it('refuses the whole when two products of the outcome share one, naming both', () => {
    const twice = parsed(aProduct('a', { external_ref: 'x' }), aProduct('b', { external_ref: 'x' }))
    expect(codeOf(() => stageCatalog([], twice))).toEqual(['DUPLICATE_EXTERNAL_REF', ['a', 'b']])
    expect(codeOf(() => stageCatalog(standing({ a: 'x' }), parsed(aProduct('b', { external_ref: 'x' }))))).toEqual([
      'DUPLICATE_EXTERNAL_REF',
      ['a', 'b'],
    ])
  })

  it('names every product that shares one, at the last of them that is sent', () => {
    const sent = parsed(aProduct('b', { external_ref: 'x' }), aProduct('c'), aProduct('a', { external_ref: 'x' }))
    const refused = () => stageCatalog(standing({ a: 'x', d: 'x' }), sent)
    expect(codeOf(refused)).toEqual(['DUPLICATE_EXTERNAL_REF', ['a', 'd', 'b']])
    expect(refused).toThrow(expect.objectContaining({ faults: [expect.objectContaining({ field: 'products.0.external_ref' })] }))
  })

  it('frees a reference in the update that drops it', () => {
    const swap = parsed(aProduct('a'), aProduct('b', { external_ref: 'x' }))
    expect(codeOf(() => stageCatalog(standing({ a: 'x', b: null }), swap))[0]).toBe('accepted')
  })

  it('accepts exactly the outcomes whose references are unique', () => {
    const refs = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.option(fc.constantFrom('x', 'y')))
    fc.assert(
      fc.property(refs, refs, (before, sent) => {
        const beforeUnique = new Map(Object.entries(before).map(([id, ref]) => [ref ?? id, id])).size === Object.keys(before).length
        fc.pre(beforeUnique)
        const products = parsed(...Object.entries(sent).map(([id, ref]) => aProduct(id, ref === null ? {} : { external_ref: ref })))
        const after = Object.values({ ...before, ...sent }).filter((ref) => ref !== null)
        const unique = new Set(after).size === after.length
        expect(codeOf(() => stageCatalog(standing(before), products))[0]).toBe(unique ? 'accepted' : 'DUPLICATE_EXTERNAL_REF')
      }),
    )
  })
})

describe('stageCatalog: mirrors', () => {
  it('takes a pair that mirrors each other', () => {
    const pair = parsed(aProduct('a', { mirror_product_id: 'b' }), aProduct('b', { mirror_product_id: 'a' }))
    expect(stageCatalog([], pair).accepted).toHaveLength(2)
  })

  it('refuses a long chain whose end is missing, and keeps what exists', () => {
    const chain = Array.from({ length: 20_000 }, (_, i) => aProduct(`p${i}`, { mirror_product_id: `p${i + 1}` }))
    const staged = stageCatalog(standing({ p10: null }), parsed(...chain))
    expect(staged.accepted.map(({ index }) => index)).toEqual(Array.from({ length: 10 }, (_, i) => i))
    expect(staged.errors[0]).toMatchObject({ index: 10, error_code: 'UNKNOWN_PRODUCT_ID', field: 'mirror_product_id', value: 'p11' })
  })

  it('refuses a product that mirrors itself', () => {
    expect(stageCatalog(standing({ a: null }), parsed(aProduct('a', { mirror_product_id: 'a' }))).errors).toMatchObject([
      { error_code: 'INVALID_ENTRY', field: 'mirror_product_id' },
    ])
  })
})

describe('stageCatalog: lists', () => {
  it('counts a value that is sent twice once', () => {
    const [product] = stageCatalog(
      [],
      parsed(aProduct('a', { buy_types: ['preemptible', 'preemptible'], grains: ['day', 'day'] })),
    ).accepted
    expect(product?.value).toMatchObject({ buy_types: ['preemptible'], grains: ['day'] })
  })

  it('holds a product whose lists repeat nothing once', () => {
    const sent = parsed(aProduct('a'))
    expect(stageCatalog([], sent).accepted[0]?.value).toBe(sent[0]?.value)
  })
})

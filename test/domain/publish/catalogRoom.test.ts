import { describe, expect, it } from '@jest/globals'
import { Product } from '../../../src/contract/product.ts'
import { withinRoom } from '../../../src/domain/publish/catalogRoom.ts'
import { aProduct } from '../../support/orders/published.ts'

const sent = (...products: [string, 'withdrawn'?][]) =>
  products.map(([product_id, status], index) => ({ index, value: Product.parse(aProduct(product_id, status ? { status } : {})) }))
const existing = new Map([
  ['on', { withdrawn: false }],
  ['off', { withdrawn: true }],
])
const kept = (products: ReturnType<typeof sent>, room: Parameters<typeof withinRoom>[2]) =>
  withinRoom(products, existing, room).kept.map(({ value }) => value.product_id)

describe('withinRoom', () => {
  it.each([
    ['changes to existing products', sent(['on']), 0, ['on']],
    ['the first new ones that fit', sent(['a'], ['b'], ['c']), 2, ['a', 'b']],
    ['a withdrawn one offered again only where there is room', sent(['off']), 0, []],
    ['new ones in the room of what the same update withdraws', sent(['a'], ['on', 'withdrawn']), 0, ['a', 'on']],
    ['new ones that are withdrawn from the start', sent(['a', 'withdrawn']), 0, ['a']],
  ] as const)('takes %s', (_, products, room, ids) => {
    expect(kept([...products], { available: 5 - room, kept: 6, max: 5 })).toEqual(ids)
  })

  it('keeps ten times the bound, withdrawn ones included', () => {
    const { errors } = withinRoom(sent(['a', 'withdrawn'], ['b', 'withdrawn']), existing, { available: 0, kept: 49, max: 5 })
    expect(errors).toEqual([
      expect.objectContaining({ index: 1, message: expect.stringContaining('at most 50 products, including withdrawn ones') }),
    ])
  })
})

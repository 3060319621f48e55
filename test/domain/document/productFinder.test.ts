import { describe, expect, it } from '@jest/globals'
import type { Product } from '../../../src/contract/product.ts'
import { productFinder, type SoughtProduct } from '../../../src/domain/document/productFinder.ts'
import { aProduct } from '../../support/orders/anOrder.ts'

const product = (product_id: string, selling_title: string, more: object = {}) =>
  aProduct({ product_id, definition: { selling_title }, ...more })
const CATALOG = [
  product('p-1', 'Prime News'),
  product('p-2', 'Late News', { network: 'WEST' }),
  product('p-3', 'Late News'),
  product('p-4', 'Prime', { name: 'The Evening' }),
]
const find = (sought: SoughtProduct, catalog: readonly Product[] = CATALOG) => {
  const finder = productFinder([sought])
  for (const product of catalog) finder.add([product])
  return finder.find(sought)
}
const read = (text: string, network?: string) => ({
  product: { read: text, at: 'A1' },
  ...(network === undefined ? {} : { network: { read: network, at: 'B1' } }),
})
const found = (...said: Parameters<typeof read>) => find({ read: read(...said) })
const near = (...said: Parameters<typeof read>) => {
  const answer = found(...said)
  return 'published' in answer ? answer.published.map(({ product_id }) => product_id) : answer.product_id
}

describe('a product that a line names', () => {
  it.each([
    ['P-1', undefined, 'p-1'],
    ['prime  NEWS!', undefined, 'p-1'],
    ['the evening', undefined, 'p-4'],
    ['Late News', 'west', 'p-2'],
    ['Late News', 'CBL', 'p-3'],
  ])('%s on %s is %s', (text, network, product_id) => expect(found(text, network)).toMatchObject({ product_id }))

  it('is not found if several have the name, or none on that network: they are named', () => {
    expect(near('Late News')).toEqual(['p-2', 'p-3'])
    expect(near('Prime News', 'WEST')).toEqual(['p-1'])
  })

  it('is not found if none has the name: those that share most words are named', () => {
    expect(near('Prime Time News')).toEqual(['p-1', 'p-4', 'p-2', 'p-3'])
    expect(near('no such')).toEqual([])
  })

  it('is the one that the buyer chooses, by its very id', () => {
    expect(find({ read: read('Late News'), chosen: 'p-3' })).toMatchObject({ product_id: 'p-3' })
    expect(find({ read: read('Late News'), chosen: 'P-3' })).toMatchObject({ published: [] })
  })

  it('is found in a large catalog, for many lines at once; of those that share a word a few are named', () => {
    const any = product('any', 'Sports')
    const many = Array.from({ length: 20_000 }, (_, index) => ({ ...any, product_id: `many-${index}`, name: `Sports Show ${index}` }))
    const sold = Array.from({ length: 250 }, (_, line) => ({ read: read(`Sports Show ${line * 80}`) }))
    const unsold = Array.from({ length: 250 }, (_, line) => ({ read: read(`Sports Talk ${line}`) }))
    const finder = productFinder([...sold, ...unsold])
    finder.add(many)
    expect(sold.map(finder.find)).toEqual(sold.map((_, line) => many[line * 80]))
    for (const answer of unsold.map(finder.find)) expect(answer).toHaveProperty('published.length', 10)
  })
})

import { describe, expect, it } from '@jest/globals'
import type { Product } from '../../../src/contract/product.ts'
import { productFinder } from '../../../src/domain/document/productFinder.ts'
import { aProduct } from '../../support/orders/anOrder.ts'

const daypart = (product_id: string, days: string[], start: string, end: string, more: object = {}) =>
  aProduct({ product_id, definition: { selling_title: `Title ${product_id}`, days, start, end }, ...more })
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const CATALOG = [
  daypart('evening', WEEKDAYS, '19:00', '20:00'),
  daypart('evening-west', WEEKDAYS, '19:00', '20:00', { network: 'WEST' }),
  daypart('prime', WEEKDAYS, '18:00', '23:00'),
  daypart('late', ['Sat', 'Sun'], '23:30', '02:00'),
]
const at = (read: string) => ({ read, at: 'A1' })
const found = (
  said: { network?: string; days: string; start: string; end: string; product?: string },
  catalog: readonly Product[] = CATALOG,
) => {
  const read = Object.fromEntries(
    Object.entries(said)
      .filter(([, value]) => value !== '')
      .map(([member, value]) => [member, at(value)]),
  )
  const finder = productFinder([{ read }])
  finder.add(catalog)
  const answer = finder.find({ read })
  return 'published' in answer ? answer.published.map(({ product_id }) => product_id) : answer.product_id
}

describe('the product of a line that says when it airs', () => {
  const line = { network: 'CBL', days: 'Mon Tue Wed Thu Fri', start: '19:00', end: '20:00' }

  it.each([
    ['is the one on its network with just its days and window', {}, 'evening'],
    ['is asked among those of several networks', { network: '' }, ['evening', 'evening-west', 'prime']],
    ['is asked where its window is within a wider one', { start: '19:30' }, ['evening', 'prime']],
    ['is asked where its days are others', { days: 'Mon Tue' }, ['evening', 'prime']],
    ['is on the clock of the broadcast day', { days: 'Sat Sun', start: '23:30', end: '26:00' }, 'late'],
    ['is the one that it names, if that airs then', { product: 'Title prime' }, 'prime'],
    ['is asked where the one that it names airs at other times', { product: 'Title late' }, ['late', 'evening', 'prime']],
    ['is the one that airs then where its words name none', { product: 'Some Movie' }, 'evening'],
  ])('%s', (_, more, expected) => expect(found({ ...line, ...more })).toEqual(expected))

  it('is asked where several air just then', () => {
    expect(found(line, [...CATALOG, daypart('evening-2', WEEKDAYS, '19:00', '20:00')])).toEqual(['evening', 'evening-2', 'prime'])
  })
})

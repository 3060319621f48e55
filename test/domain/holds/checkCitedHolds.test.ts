import { describe, expect, it } from '@jest/globals'
import { checkCitedHolds, holdsOf } from '../../../src/domain/holds/checkCitedHolds.ts'
import { aLine } from '../../support/orders/anOrder.ts'

const held = (more: object = {}) => {
  const { product_id, period, spot_length } = aLine()
  return { product_id, period, spot_length, units: 10, ...more }
}
const hold = (...lines: object[]) => [{ hold_id: 'hold_1', lines: lines as never }]
const citing = (units: number, more: object = {}) => aLine({ hold_id: 'hold_1', units, ...more })
const faulty = (lines: ReturnType<typeof aLine>[], holds = hold(held())) =>
  checkCitedHolds(lines, holds).map((faults) => faults.map(({ message }) => message))

describe('a hold that lines cite', () => {
  it('covers its units of the product, period and spot length, for all lines in turn', () => {
    expect(faulty([aLine(), citing(4), citing(6)])).toEqual([[], [], []])
    const [, , third] = faulty([citing(4), citing(6), citing(1)])
    expect(third).toEqual(['hold_1 holds 10 units of this product and period; the lines that cite it book 11.'])
    expect(faulty([citing(10)], hold(held({ units: 4 }), held({ units: 6 })))).toEqual([[]])
    // What other holds and other periods cover is counted apart.
    const other = { ...hold(held())[0], hold_id: 'hold_2' } as never
    expect(faulty([citing(10), citing(10, { hold_id: 'hold_2' })], [...hold(held()), other])).toEqual([[], []])
    const weeks = hold(held(), held({ period: { grain: 'week', start: '2026-W51' } }))
    expect(faulty([citing(10), citing(10, { period: { grain: 'week', start: '2026-W51' } })], weeks)).toEqual([[], []])
  })

  it.each([
    ['product', { product_id: 'late' }],
    ['grain', { period: { grain: 'day', start: '2026-W50' } }],
    ['start', { period: { grain: 'week', start: '2026-W51' } }],
    ['spot length', { spot_length: 15 }],
  ])('covers no other %s', (_, more) => {
    expect(faulty([citing(1, more)])).toEqual([['hold_1 does not cover this product, period and spot length.']])
  })

  it('is an active one of the buyer; the fault names the line', () => {
    const [, faults] = checkCitedHolds([aLine(), citing(1)], [])
    expect(faults).toEqual([
      {
        error_code: 'INVALID_INPUT',
        field: 'line_items.1.hold_id',
        message: 'hold_1 is not an active hold of this buyer with this seller.',
      },
    ])
    expect(holdsOf({ line_items: [citing(1), citing(2), aLine(), citing(1, { hold_id: 'hold_2' })] })).toEqual(['hold_1', 'hold_2'])
    expect(holdsOf({})).toEqual([])
  })
})

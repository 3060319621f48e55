import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addMonths, weekOf, weeksOfMonth } from '../../../src/domain/calendar.ts'
import { bookedDates } from '../../../src/domain/lines/allocation.ts'
import { doubleBookedWeeks, neighborsOf } from '../../../src/domain/lines/doubleBookedWeeks.ts'
import { aLine, aProduct } from '../../support/orders/anOrder.ts'

const line = (start: string, product_id = 'prime', grain: 'month' | 'week' = 'month') => {
  const period = { grain, start } as const
  return { line: aLine({ product_id, period }), booked_dates: bookedDates(aProduct({ product_id }), period) }
}
const other = (month: string, order_id = 'ord_other', product_id = 'prime') => ({ order_id, product_id, month })
const W53 = ['2026-12-28', '2026-12-30', '2027-01-01']

describe('a week that two months share', () => {
  it('is found between lines of one order, once', () => {
    expect(doubleBookedWeeks([line('2026-12'), line('2027-01')], [])).toEqual([{ product_id: 'prime', dates: W53, order_ids: [] }])
  })

  it('is found between an order and others', () => {
    const others = [other('2027-01', 'ord_b'), other('2027-01', 'ord_a'), other('2026-11', 'ord_c'), other('2027-02')]
    const found = doubleBookedWeeks([line('2026-12')], others)
    expect(found).toEqual([
      { product_id: 'prime', dates: ['2026-11-30', '2026-12-02', '2026-12-04', ...W53], order_ids: ['ord_a', 'ord_b', 'ord_c'] },
    ])
  })

  it.each([
    ['of different products', [line('2026-12'), line('2027-01', 'late')], [other('2027-01', 'ord_1', 'late')]],
    ['of months that share no week', [line('2026-02'), line('2026-01', 'late')], [other('2026-04')]],
    ['of one month', [line('2026-12'), line('2026-12')], [other('2026-12')]],
    ['of months that meet on a Monday', [line('2027-01'), line('2027-02')], []],
    ['of a month and a week', [line('2026-12'), line('2026-W53', 'prime', 'week')], []],
  ])('is none %s', (_, lines, others) => expect(doubleBookedWeeks(lines, others)).toEqual([]))

  it('is shared by a month and its neighbors alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12_000 }), (months) => {
        const month = addMonths('1200-01', months)
        for (const neighbor of [addMonths(month, -1), addMonths(month, 1)]) {
          const shared = weeksOfMonth(month).filter((week) => weeksOfMonth(neighbor).includes(week))
          expect(shared.length).toBeLessThanOrEqual(1)
          expect([...(neighborsOf(month).find((each) => each.month === neighbor)?.weeks ?? [])]).toEqual(shared)
        }
        expect(weeksOfMonth(month)).toContain(weekOf(`${month}-15`))
      }),
    )
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addDays, broadcastMonthOf, weekdayOf } from '../../../src/domain/calendar.ts'
import { clearsAt } from '../../../src/domain/settlement/clearsAt.ts'
import { dueInvoices, firstClearing } from '../../../src/domain/settlement/dueInvoices.ts'
import { anOrder } from '../../support/orders/anOrder.ts'
import { theExample } from '../../support/settlement/aClearedOrder.ts'

describe('a broadcast month', () => {
  it.each([
    ['2027-02', '2027-03-01T14:00:00.000Z'], // ends on February 28, a Sunday
    ['2026-12', '2026-12-28T14:00:00.000Z'],
    ['2027-01', '2027-02-01T14:00:00.000Z'],
    ['2026-10', '2026-10-26T14:00:00.000Z'], // before the clocks change, and after: the hour is of UTC
    ['2026-11', '2026-11-30T14:00:00.000Z'],
    ['2032-02', '2032-03-01T14:00:00.000Z'], // February 29, a Sunday
  ])('%s clears at %s', (month, at) => {
    expect(clearsAt(month)).toBe(at)
  })

  it('clears on the Monday after its last date, whatever the year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_500 }), (days) => {
        const date = addDays('2020-01-01', days)
        const month = broadcastMonthOf(date)
        const monday = clearsAt(month).slice(0, 10)
        expect(weekdayOf(monday)).toBe('Mon')
        expect(broadcastMonthOf(addDays(monday, -1))).toBe(month)
        expect(broadcastMonthOf(monday) > month).toBe(true)
        expect(date < monday).toBe(true)
      }),
    )
  })
})

describe('what is due', () => {
  const due = (asOf: string, ...invoiced: string[]) => {
    const { months, next_at } = dueInvoices(theExample(), new Set(invoiced), asOf)
    return [months.map(({ broadcast_month }) => broadcast_month), next_at]
  }

  it('is every month that has cleared and has no invoice, with the time of the next', () => {
    expect(due('2027-03-01T13:59:59.999Z')).toEqual([[], '2027-03-01T14:00:00.000Z'])
    expect(due('2027-03-01T14:00:00.000Z')).toEqual([['2027-02'], '2027-03-29T14:00:00.000Z'])
    expect(due('2027-04-20T00:00:00.000Z', '2027-02')).toEqual([['2027-03'], '2027-04-26T14:00:00.000Z'])
    expect(due('2030-01-01T00:00:00.000Z')).toEqual([['2027-02', '2027-03', '2027-04'], null])
    expect(due('2030-01-01T00:00:00.000Z', '2027-02', '2027-03', '2027-04')).toEqual([[], null])
  })

  it('begins when its first month clears', () => {
    expect(firstClearing(theExample())).toBe('2027-03-01T14:00:00.000Z')
    expect(firstClearing(anOrder())).toBeNull()
  })
})

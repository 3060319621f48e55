import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Product } from '../../../src/contract/product.ts'
import { WEEKDAYS, type Weekday } from '../../../src/contract/vocabulary.ts'
import { addDays, weekdayOf, weekOf, weeksOfPeriod } from '../../../src/domain/calendar.ts'
import { airingOf, airsOn, allocate, bookedDates } from '../../../src/domain/lines/allocation.ts'
import { aProduct } from '../../support/orders/anOrder.ts'

const WEEK = { grain: 'week', start: '2026-W50' } as const
const MONTH = { grain: 'month', start: '2026-12' } as const
const daypart = (...days: Weekday[]) => aProduct({ definition: { days } })
const rotator = (...windows: Weekday[][]) =>
  aProduct({ type: 'rotator', definition: { windows: windows.map((days) => ({ days, start: '06:00', end: '09:00' })) } })
const program = (...dates: string[]) =>
  aProduct({ type: 'program', definition: { occurrences: dates.map((date) => ({ date, start: '20:00', end: '22:00' })) } })

describe('a spread', () => {
  const dates = fc.integer({ min: 1, max: 40 }).map((count) => Array.from({ length: count }, (_, day) => addDays('2026-12-01', day)))

  it('sums to the units, as evenly as integers allow, the remainder on the earliest dates, none with zero units', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), dates, (units, booked) => {
        const spread = allocate(units, booked)
        const each = Math.floor(units / booked.length)
        expect(spread.reduce((total, entry) => total + entry.units, 0)).toBe(units)
        expect(spread.map(({ date }) => date)).toEqual(booked.slice(0, spread.length))
        expect(spread.map((entry) => entry.units)).toEqual(spread.map((_, index) => each + (index < units % booked.length ? 1 : 0)))
        expect(spread.every((entry) => entry.units > 0)).toBe(true)
      }),
    )
  })

  it.each([
    [1, [1]],
    [3, [1, 1, 1]],
    [5, [2, 2, 1]],
    [7, [3, 2, 2]],
  ])('of %i units over three dates is %j', (units, expected) => {
    expect(allocate(units, bookedDates(daypart('Mon', 'Wed', 'Fri'), WEEK)).map((entry) => entry.units)).toEqual(expected)
  })

  it('has no meaning without a date', () => expect(() => allocate(1, [])).toThrow(RangeError))
})

describe('a line books', () => {
  it('the one date of a day line, on any days of the product', () => {
    expect(bookedDates(daypart('Mon'), { grain: 'day', start: '2026-12-12' })).toEqual(['2026-12-12'])
  })

  it.each<[string, Product, string[]]>([
    ['Monday, Wednesday and Friday of a daypart that runs all week', daypart(...WEEKDAYS), ['2026-12-07', '2026-12-09', '2026-12-11']],
    ['those of the three that it runs on', daypart('Tue', 'Wed', 'Fri', 'Sun'), ['2026-12-09', '2026-12-11']],
    ['its own days when it runs on none of the three', daypart('Tue', 'Sat'), ['2026-12-08', '2026-12-12']],
    ['the days of all windows of a rotator', rotator(['Sat'], ['Wed', 'Sat']), ['2026-12-09']],
    ['a weekend rotator on its weekend', rotator(['Sat', 'Sun'], ['Sun']), ['2026-12-12', '2026-12-13']],
    ['the occurrences of a program, on any weekday', program('2026-12-08', '2026-12-12', '2026-12-15'), ['2026-12-08', '2026-12-12']],
    ['nothing where a program does not occur', program('2027-01-01'), []],
  ])('%s', (_, product, dates) => expect(bookedDates(product, WEEK)).toEqual(dates))

  it('every week with a day in the month, whole weeks', () => {
    const dates = bookedDates(daypart('Mon'), MONTH)
    expect(dates).toEqual(['2026-11-30', '2026-12-07', '2026-12-14', '2026-12-21', '2026-12-28'])
    expect(bookedDates(daypart('Fri'), MONTH).at(-1)).toBe('2027-01-01')
    expect(bookedDates(program('2027-01-02', '2026-12-01'), MONTH)).toEqual(['2026-12-01', '2027-01-02'])
  })

  it('in order, each date once, only in weeks that it touches and only on days of the product', () => {
    const days = fc.subarray([...WEEKDAYS], { minLength: 1 })
    const period = fc.oneof(
      fc.integer({ min: 1, max: 53 }).map((week) => ({ grain: 'week' as const, start: `2026-W${String(week).padStart(2, '0')}` })),
      fc.integer({ min: 1, max: 12 }).map((month) => ({ grain: 'month' as const, start: `2026-${String(month).padStart(2, '0')}` })),
    )
    fc.assert(
      fc.property(days, period, fc.integer({ min: 1, max: 300 }), (runsOn, when, units) => {
        const booked = bookedDates(daypart(...runsOn), when)
        expect(booked).toEqual([...new Set(booked)].sort())
        expect(new Set(booked.map(weekOf))).toEqual(new Set(weeksOfPeriod(when.grain, when.start)))
        expect(booked.every((date) => runsOn.includes(weekdayOf(date)))).toBe(true)
        expect(allocate(units, booked).every(({ date }) => booked.includes(date))).toBe(true)
      }),
    )
  })
})

describe('a product airs', () => {
  it('on the days that it names, booked or not', () => {
    const weekdays = daypart('Fri', 'Mon', 'Tue')
    expect(['2026-12-07', '2026-12-08', '2026-12-09', '2026-12-11'].map((date) => airsOn(weekdays, date))).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(airingOf(weekdays)).toBe('Mon, Tue, Fri')
    expect(airingOf(rotator(['Sun', 'Sat'], ['Sun']))).toBe('Sat, Sun')
  })
  it('on the dates of a program alone', () => {
    expect(['2026-12-08', '2026-12-15'].map((date) => airsOn(program('2026-12-08'), date))).toEqual([true, false])
    expect(airingOf(program('2026-12-15', '2026-12-08', '2026-12-08'))).toBe('2026-12-08, 2026-12-15')
  })
})

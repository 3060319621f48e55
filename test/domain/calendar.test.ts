import { describe, expect, it } from '@jest/globals'
import { Temporal } from '@js-temporal/polyfill'
import fc from 'fast-check'
import { WEEKDAYS } from '../../src/contract/vocabulary.ts'
import {
  addDays,
  addMinutes,
  dateOf,
  datesOfWeek,
  daysBetween,
  isDate,
  isPeriodStart,
  mondayOf,
  stampAfter,
  weekdayOf,
  weekOf,
  weeksBetween,
  weeksOfMonth,
  weeksOfPeriod,
} from '../../src/domain/calendar.ts'

const DAY_MS = 86_400_000
const aDate = fc
  .integer({ min: Date.parse('1970-01-01') / DAY_MS, max: Date.parse('2100-12-31') / DAY_MS })
  .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))

describe('a date', () => {
  it.each(['2026-12-07', '2024-02-29', '2000-02-29'])('%s exists', (text) => expect(isDate(text)).toBe(true))
  it.each([
    '2026-02-29',
    '2100-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-04-31',
    '2026-12-00',
    '2026-12-7',
    '20261207',
    '2026-12-07T00:00Z',
    ' 2026-12-07',
    '',
  ])('%j does not', (text) => expect(isDate(text)).toBe(false))

  it('exists where the calendar library has it', () => {
    const part = (digits: number, max: number) => fc.nat({ max }).map((figure) => String(figure).padStart(digits, '0'))
    const text = fc.tuple(part(4, 9999), part(2, 14), part(2, 33)).map((parts) => parts.join('-'))
    const isKnown = (day: string) => {
      try {
        return Temporal.PlainDate.from(day, { overflow: 'reject' }).toString() === day
      } catch {
        return false
      }
    }
    fc.assert(fc.property(text, (day) => expect(isDate(day)).toBe(isKnown(day))))
  })
})

describe('an ISO week', () => {
  it.each([
    ['2026-12-07', '2026-W50'],
    ['2026-12-13', '2026-W50'],
    ['2027-01-01', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
    ['2025-12-29', '2026-W01'],
    ['2021-01-01', '2020-W53'],
    ['2016-01-03', '2015-W53'],
  ])('%s lies in %s', (date, week) => expect(weekOf(date)).toBe(week))

  it.each([
    ['2026-W01', '2025-12-29'],
    ['2025-W01', '2024-12-30'],
    ['2020-W53', '2020-12-28'],
    ['2026-W50', '2026-12-07'],
  ])('%s starts on Monday %s', (week, monday) => expect(mondayOf(week)).toBe(monday))

  it('has its seven dates, Monday first, across the turn of a year', () => {
    expect(datesOfWeek('2026-W53')).toEqual([
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
    ])
  })

  it('is the one that the calendar library counts', () => {
    fc.assert(
      fc.property(aDate, (date) => {
        const { yearOfWeek, weekOfYear, dayOfWeek } = Temporal.PlainDate.from(date)
        expect(weekOf(date)).toBe(`${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`)
        expect(WEEKDAYS.indexOf(weekdayOf(date)) + 1).toBe(dayOfWeek)
      }),
    )
  })

  it('holds every date once, and that date is one of its seven', () => {
    fc.assert(
      fc.property(aDate, (date) => {
        const dates = datesOfWeek(weekOf(date))
        expect(dates.filter((each) => each === date)).toEqual([date])
        expect(dates.map(weekdayOf)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'])
        expect(mondayOf(weekOf(date))).toBe(dates[0])
      }),
    )
  })
})

describe('a period', () => {
  it.each([
    ['week', '2026-W53'],
    ['week', '2020-W53'],
    ['week', '2026-W01'],
    ['month', '2026-12'],
    ['day', '2024-02-29'],
  ] as const)('by %s %s exists', (grain, start) => expect(isPeriodStart(grain, start)).toBe(true))

  it.each([
    ['week', '2025-W53'],
    ['week', '2027-W53'],
    ['week', '2026-W00'],
    ['week', '2026-W54'],
    ['week', '2026-50'],
    ['week', '2026-12-07'],
    ['month', '2026-13'],
    ['month', '2026-00'],
    ['month', '2026-W50'],
    ['day', '2026-02-30'],
    ['day', '2026-12'],
  ] as const)('by %s %s does not', (grain, start) => expect(isPeriodStart(grain, start)).toBe(false))

  it.each([
    ['month', '0000-01'],
    ['month', '9999-12'],
    ['week', '9999-W52'],
    ['day', '0000-01-01'],
  ] as const)('by %s %s does not: its weeks would leave the four-digit years', (grain, start) => {
    expect(isPeriodStart(grain, start)).toBe(false)
    expect(weeksOfPeriod(grain, start).length).toBeLessThan(8) // asked before the rules refuse: it ends, and throws nothing
  })

  it('touches its own week, itself, or every week with a day in the month', () => {
    expect(weeksOfPeriod('day', '2027-01-01')).toEqual(['2026-W53'])
    expect(weeksOfPeriod('week', '2026-W50')).toEqual(['2026-W50'])
    expect(weeksOfPeriod('month', '2026-12')).toEqual(['2026-W49', '2026-W50', '2026-W51', '2026-W52', '2026-W53'])
    expect(weeksOfMonth('2027-01')).toEqual(['2026-W53', '2027-W01', '2027-W02', '2027-W03', '2027-W04'])
    expect(weeksOfMonth('2027-02')).toEqual(['2027-W05', '2027-W06', '2027-W07', '2027-W08'])
  })
})

describe('weeksBetween', () => {
  it('covers every date of the span, each by one week, in order, and nothing beside it', () => {
    fc.assert(
      fc.property(aDate, fc.nat({ max: 100 }), (start, days) => {
        const end = addDays(start, days)
        const weeks = weeksBetween(start, end)
        const covered = weeks.flatMap(datesOfWeek)
        expect(new Set(covered).size).toBe(covered.length)
        expect([...covered].sort()).toEqual(covered)
        expect(weeks[0]).toBe(weekOf(start))
        expect(weeks.at(-1)).toBe(weekOf(end))
        expect(covered.filter((date) => date >= start && date <= end).length).toBe(days + 1)
      }),
    )
  })
})

describe('days and instants', () => {
  it('counts whole days, backwards too, across a leap day', () => {
    expect(daysBetween('2026-11-30', '2026-12-07')).toBe(7)
    expect(daysBetween('2026-12-07', '2026-11-30')).toBe(-7)
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2)
    expect(addDays('2024-02-28', 2)).toBe('2024-03-01')
  })

  it('takes the date of an instant in UTC, for any offset', () => {
    expect(dateOf('2026-11-30T23:30:00-05:00')).toBe('2026-12-01')
    expect(dateOf('2026-12-01T00:30:00+02:00')).toBe('2026-11-30')
    expect(daysBetween(dateOf('9999-12-31T23:59:59-12:00'), '9999-12-31')).toBe(-1)
  })

  it('adds minutes', () => expect(addMinutes('2026-12-31T23:59:00.000Z', 2)).toBe('2027-01-01T00:01:00.000Z'))

  it('stamps strictly after the last stamp, even when the clock stops or goes back', () => {
    const last = '2026-11-02T09:00:00.000Z'
    expect(stampAfter(null, last)).toBe(last)
    expect(stampAfter(last, '2026-11-02T09:00:00.001Z')).toBe('2026-11-02T09:00:00.001Z')
    expect(stampAfter(last, last)).toBe('2026-11-02T09:00:00.001Z')
    expect(stampAfter(last, '2020-01-01T00:00:00.000Z')).toBe('2026-11-02T09:00:00.001Z')
    expect(stampAfter('2026-12-31T23:59:59.999Z', last)).toBe('2027-01-01T00:00:00.000Z')
  })
})

import { describe, expect, it } from '@jest/globals'
import { datesAboveAvail } from '../../../src/domain/lines/aboveAvail.ts'
import { availsFor, isUnavailable, lineAvailability, type PublishedAvail } from '../../../src/domain/lines/availability.ts'

const avail = (grain: PublishedAvail['grain'], start: string, more: Partial<PublishedAvail> = {}): PublishedAvail => ({
  ...{ product_id: 'prime', grain, start, state: 'available' },
  ...more,
})
const line = (grain: PublishedAvail['grain'], start: string) => ({ product_id: 'prime', period: { grain, start } })
const DAY = avail('day', '2026-12-09')
const WEEK = avail('week', '2026-W50')
const MONTH = avail('month', '2026-12')
const ALL = [DAY, avail('day', '2026-12-10'), WEEK, avail('week', '2026-W48'), MONTH, avail('week', '2026-W50', { product_id: 'late' })]

describe('the avails that speak of a line', () => {
  it.each([
    ['day', '2026-12-09', [DAY]],
    ['day', '2026-12-08', [WEEK]],
    ['week', '2026-W50', [WEEK]],
    ['week', '2026-W51', []],
    ['month', '2026-12', [MONTH, WEEK]],
    ['month', '2026-10', []],
  ] as const)('%s %s', (grain, start, found) => expect(availsFor(line(grain, start), ALL)).toEqual(found))

  it('make it unavailable if any of them is', () => {
    const gone = avail('week', '2026-W51', { state: 'unavailable' })
    expect(isUnavailable(line('month', '2026-12'), [...ALL, gone])).toBe(true)
    expect(isUnavailable(line('week', '2026-W50'), [...ALL, gone])).toBe(false)
  })

  it('give a line the worst of their states, and a sell-out level where one speaks alone', () => {
    const sold = { sellout_level: 0.4, basis: 'actual' as never }
    expect(lineAvailability(line('week', '2026-W50'), [{ ...WEEK, ...sold }])).toEqual({ state: 'available', ...sold })
    expect(lineAvailability(line('week', '2026-W50'), [WEEK])).toEqual({ state: 'available', basis: 'modelled', sellout_level: null })
    const month = (...states: PublishedAvail['state'][]) =>
      lineAvailability(
        line('month', '2026-12'),
        states.map((state, at) => avail('week', `2026-W5${at}`, { state, ...sold })),
      )
    expect(month('available', 'projected')).toEqual({ state: 'projected', basis: 'actual', sellout_level: null })
    expect(month('projected', 'unavailable')?.state).toBe('unavailable')
    expect(lineAvailability(line('week', '2026-W51'), ALL)).toBeNull()
  })
})

describe('the dates on which lines book more than is published', () => {
  const booked = (units: number, booked_dates: string[], more: object = {}) => ({
    line: { ...line('week', '2026-W50'), units, ...more },
    booked_dates,
  })
  const above = (lines: ReturnType<typeof booked>[], ...avails: PublishedAvail[]) => datesAboveAvail('prime', lines, avails)
  const TWO = ['2026-12-07', '2026-12-09']

  it('are those of the period that is exceeded, by all lines together, each date once', () => {
    const week = (available: number | null) => ({ ...WEEK, available })
    expect(above([booked(4, TWO)], week(4))).toEqual([])
    expect(above([booked(4, TWO), booked(1, ['2026-12-07'])], week(4))).toEqual(TWO)
    expect(above([booked(9, TWO)], week(null), WEEK)).toEqual([])
    expect(above([booked(9, TWO)], { ...WEEK, product_id: 'late', available: 1 })).toEqual([])
    expect(above([booked(9, TWO)], { ...WEEK, start: '2026-W51', available: 1 })).toEqual([])
  })

  it('count neither other products nor what is held', () => {
    const one = { ...WEEK, available: 1 }
    expect(above([booked(9, TWO, { product_id: 'late' }), booked(9, TWO, { hold_id: 'hold_1' })], one)).toEqual([])
    expect(above([booked(9, TWO, { hold_id: 'hold_1' }), booked(2, TWO)], one)).toEqual(TWO)
  })

  it('are held to a day by that day, and to a month by its own lines and the days in it', () => {
    expect(above([booked(4, TWO)], { ...DAY, available: 1 })).toEqual(['2026-12-09'])
    expect(above([booked(4, TWO)], { ...DAY, available: 2 })).toEqual([])
    expect(above([booked(4, TWO)], { ...MONTH, available: 3 })).toEqual(TWO)
    expect(above([booked(4, TWO)], { ...MONTH, start: '2026-11', available: 3 })).toEqual([])
    const ofMonth = booked(4, ['2026-11-30', '2026-12-07'], line('month', '2026-12'))
    expect(above([ofMonth], { ...MONTH, available: 3 })).toEqual(['2026-11-30', '2026-12-07'])
    expect(above([ofMonth], { ...MONTH, start: '2026-11', available: 0 })).toEqual([])
  })
})

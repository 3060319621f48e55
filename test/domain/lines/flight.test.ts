import { describe, expect, it } from '@jest/globals'
import type { Period } from '../../../src/contract/scalars.ts'
import { checkFlight } from '../../../src/domain/lines/flight.ts'

const week: Period = { grain: 'week', start: '2026-W50' } // Mon 7, Wed 9, Fri 11 December
const month: Period = { grain: 'month', start: '2026-12' } // from Mon 30 November to Fri 1 January
const day: Period = { grain: 'day', start: '2026-12-12' }
const FRIDAYS = ['2026-12-11']

const outside = (start: string, end: string, period: Period, booked: string[] = []) =>
  checkFlight({ start, end }, 3, period, booked).map(({ details }) => details?.date)

describe('a flight', () => {
  it('restricts nothing when it is not stated', () => expect(checkFlight(undefined, 0, week, FRIDAYS)).toEqual([])) // spec, Create rule 5
  it('holds the week whose Monday and Friday are its edges', () => expect(outside('2026-12-07', '2026-12-11', week)).toEqual([]))
  it('does not need the weekend', () => expect(outside('2026-12-07', '2026-12-11', month)).toEqual(['2026-11-30']))
  it('is left by a Monday before it', () => expect(outside('2026-12-08', '2026-12-31', week)).toEqual(['2026-12-07']))
  it('is left by a Friday after it', () => expect(outside('2026-12-01', '2026-12-10', week)).toEqual(['2026-12-11']))

  it('is left by the three days, independently of what the product books', () => {
    expect(outside('2026-12-08', '2026-12-31', week, FRIDAYS)).toEqual(['2026-12-07'])
  })
  it('is left by a date that the product books in addition to the three', () => {
    expect(outside('2026-12-07', '2026-12-11', week, ['2026-12-12'])).toEqual(['2026-12-12'])
  })

  it('needs of a day line its own date alone', () => {
    expect(outside('2026-12-12', '2026-12-12', day)).toEqual([])
    expect(outside('2026-12-13', '2026-12-31', day)).toEqual(['2026-12-12'])
    expect(outside('2026-12-01', '2026-12-11', day)).toEqual(['2026-12-12'])
  })
  it('needs of a month line every week that the month touches', () => {
    expect(outside('2026-11-30', '2027-01-01', month)).toEqual([])
    expect(outside('2026-12-01', '2027-01-01', month)).toEqual(['2026-11-30'])
    expect(outside('2026-11-30', '2026-12-31', month)).toEqual(['2027-01-01'])
  })

  it('names the line and the first date outside', () => {
    expect(checkFlight({ start: '2026-12-08', end: '2026-12-10' }, 3, week, [])).toMatchObject([
      { error_code: 'INVALID_INPUT', field: 'flight', details: { line: 3, date: '2026-12-07' } },
    ])
  })
})

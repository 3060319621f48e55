import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addDays, isPeriodStart, weekOf } from '../../../src/domain/calendar.ts'
import { readPeriod } from '../../../src/domain/document/readPeriod.ts'

const anchor = () => '2030-06-01'
const week = (start: string) => ({ grain: 'week', start })
const day = (start: string) => ({ grain: 'day', start })
const month = (start: string) => ({ grain: 'month', start })

describe('a period in the words of a buysheet', () => {
  it.each([
    ['2030-W23', week('2030-W23')],
    ['W23', week('2030-W23')],
    ['Wk 2', week('2031-W02')],
    ['Week 23, 2031', week('2031-W23')],
    ['w/c 6/3', week('2030-W23')],
    ['Week of June 3rd, 2030', week('2030-W23')],
    ['6/3/2030 - 6/9/2030', week('2030-W23')],
    ['6/3-6/9', week('2030-W23')],
    ['Jun 3 - 9', week('2030-W23')],
    ['6/3 to 6/7', week('2030-W23')],
    ['2030-06', month('2030-06')],
    ['June 2030', month('2030-06')],
    ["Jun '31", month('2031-06')],
    ['May', month('2031-05')],
    ['6/1/2030 - 6/30/2030', month('2030-06')],
    ['2030-06-05', day('2030-06-05')],
    ['6/5', day('2030-06-05')],
    ['5/31', day('2031-05-31')],
    ['31/12/2030', day('2030-12-31')],
    ['Wed 5-Jun-30', day('2030-06-05')],
    ['6/5/2030 - 6/5/2030', day('2030-06-05')],
    ['Feb 29', day('2032-02-29')],
  ])('%s', (text, period) => expect(readPeriod(text, { anchor })).toEqual(period))

  it.each([
    '',
    'soon',
    '10',
    '6/31/2030',
    '2030-W54',
    '2030-13',
    '6/3/2030 - 6/12/2030',
    '6/9 - 6/3',
    'W60',
    '0000-00-00',
    'Market 3',
    '1250.50',
  ])('%j is none', (text) => expect(readPeriod(text, { anchor })).toBeUndefined())

  it('is what its column says when it is a lone date', () => {
    expect(readPeriod('2030-06-05', { anchor, grain: 'week' })).toEqual(week('2030-W23'))
    expect(readPeriod('6/1/2030', { anchor, grain: 'month' })).toEqual(month('2030-06'))
  })

  it('is a date in any notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 364 }), (days) => {
        const date = addDays(anchor(), days)
        const [year, mm = '', dd = ''] = date.split('-')
        for (const text of [date, `${Number(mm)}/${Number(dd)}/${year}`, `${Number(mm)}/${Number(dd)}`]) {
          expect(readPeriod(text, { anchor })).toEqual(day(date))
          expect(readPeriod(`w/c ${text}`, { anchor })).toEqual(week(weekOf(date)))
        }
      }),
    )
  })

  it('is one that exists or none, for any text', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9/\-. W:]{0,14}$/))
    fc.assert(
      fc.property(text, (text) => {
        const period = readPeriod(text, { anchor })
        expect(period === undefined || isPeriodStart(period.grain, period.start)).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

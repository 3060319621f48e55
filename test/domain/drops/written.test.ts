import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { isoDateOf, orderOf, writtenDate } from '../../../src/domain/drops/written/writtenDate.ts'
import { daysIn } from '../../../src/domain/drops/written/writtenDays.ts'
import { secondsOf, secondsOfTime } from '../../../src/domain/drops/written/writtenLength.ts'
import { fractionOf, isSignOf, markOf, plainNumber, writtenMoney } from '../../../src/domain/drops/written/writtenNumber.ts'
import { timeOfHalves } from '../../../src/domain/drops/written/writtenTime.ts'

describe('a date of numbers', () => {
  const date = fc.record({
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    year: fc.integer({ min: 2000, max: 2099 }),
  })
  const mark = fc.constantFrom('/', '.', '-')
  const two = (number: number) => String(number).padStart(2, '0')

  it('is the day that was written, in the order in which it was', () => {
    fc.assert(
      fc.property(date, mark, fc.boolean(), ({ month, day, year }, between, isShort) => {
        const written = [month, day, isShort ? two(year % 100) : year]
        const [mdy, dmy] = [written.join(between), [written[1], written[0], written[2]].join(between)]
        const iso = `${year}-${two(month)}-${two(day)}`
        expect([isoOf(mdy, 'mdy'), isoOf(dmy, 'dmy')]).toEqual([iso, iso])
        expect(orderOf(writtenDate(mdy) as never)).toBe(day > 12 ? 'mdy' : day === month ? 'same' : 'either')
        expect(orderOf(writtenDate(dmy) as never)).toBe(day > 12 ? 'dmy' : day === month ? 'same' : 'either')
      }),
    )
  })

  it.each(['2030-06-05', '6/3', '6/3-2030', '6/3/203', 'June 3', '13:05', '6/3/2030 10:15'])('is not %s', (text) => {
    expect(writtenDate(text)).toBeUndefined()
  })

  it('may have a midnight behind it', () => {
    expect(['6/3/2030 0:00', '6/3/2030 00:00:00', '6/3/2030 12:00:00 AM'].map((text) => isoOf(text, 'mdy'))).toEqual(
      Array(3).fill('2030-06-03'),
    )
  })

  const isoOf = (text: string, order: 'mdy' | 'dmy') => isoDateOf(writtenDate(text) as NonNullable<ReturnType<typeof writtenDate>>, order)
})

describe('a number with separators', () => {
  const amount = fc.tuple(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 0, max: 99 }))
  it('is the number that was written, by its mark, and never another one', () => {
    fc.assert(
      fc.property(amount, ([units, cents]) => {
        const plain = `${units}.${String(cents).padStart(2, '0')}`
        const point = `${units.toLocaleString('en-US')}.${plain.slice(-2)}`
        const comma = `${units.toLocaleString('en-US').replaceAll(',', '.')},${plain.slice(-2)}`
        if (units >= 1_000) expect([plainNumber(point, 'point'), markOf(point)]).toEqual([plain, 'point'])
        expect([plainNumber(comma, 'comma'), markOf(comma)]).toEqual([plain, 'comma'])
        expect(plainNumber(point, 'comma')).toBeUndefined()
        expect(plainNumber(comma, 'point')).toBeUndefined()
      }),
    )
  })

  it.each(['1,250', '1.250', '1250', '0', '999,999'])('%s does not tell its mark', (text) => {
    expect(markOf(text)).toBeUndefined()
  })

  it.each([
    ['$1,250.00', '1,250.00', '$'],
    [' $ 31.00 '.trim(), '31.00', '$'],
    ['$ -', '0', '$'],
    ['-$5', '-5', '$'],
    ['$(12.50)', '-12.50', '$'],
    ['€ 12,50', '12,50', '€'],
    ['12,50 €', '12,50', '€'],
    ['USD 100', '100', 'USD'],
    ['100', '100', undefined],
    ['1e3', '1e3', undefined],
    ['$', '$', undefined],
    ['-', '-', undefined],
  ])('the amount %s', (text, digits, sign) => {
    expect(writtenMoney(text)).toEqual({ digits, sign })
  })

  it('has the sign of its currency, or of none', () => {
    expect([isSignOf('$', 'USD'), isSignOf('$', 'CAD'), isSignOf('$', 'EUR'), isSignOf('€', 'EUR'), isSignOf('USD', 'EUR')]).toEqual([
      true,
      true,
      false,
      true,
      false,
    ])
  })

  it('is a fraction as a percentage', () => {
    expect(['85%', '33.3 %', '0%', '100%', '85', '1000%', '-5%'].map(fractionOf)).toEqual([
      0.85,
      0.333,
      0,
      1,
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('a length', () => {
  it.each([
    [':30', 30],
    ['30s', 30],
    ['15 sec', 15],
    ['1:00', 60],
    ['0:00:15', 15],
    ['0:30', 30],
    ['30', undefined],
    ['half a minute', undefined],
  ])('%s', (text, seconds) => {
    expect(secondsOf(text)).toBe(seconds)
  })

  it.each([
    ['00:00:15', 15],
    ['00:01:00', 60],
    ['00:02:30', 150],
    ['00:30:00', undefined],
    ['01:00:00', undefined],
  ])('of the time cell %s', (time, seconds) => {
    expect(secondsOfTime(time)).toBe(seconds)
  })
})

describe('days', () => {
  const ALL = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
  it.each([
    ['M-F', ALL.slice(0, 5)],
    ['Mon-Fri', ALL.slice(0, 5)],
    ['M-Su', ALL],
    ['Sa-Su', ALL.slice(5)],
    ['MTuWThF', ALL.slice(0, 5)],
    ['MTWTF', ALL.slice(0, 5)],
    ['MTWTFSS', ALL],
    ['Mon, Wed & Fri', ['Mon', 'Wed', 'Fri']],
    ['Mon|Tue', undefined],
    ['T', undefined],
    ['S', undefined],
    ['S-S', undefined],
    ['M-S', undefined],
    ['F-M', undefined],
    ['Daily', undefined],
    ['M-T', undefined],
    ['', undefined],
  ])('%s', (text, days) => {
    expect(daysIn(text)).toEqual(days)
  })
})

describe('a time of two halves', () => {
  it.each([
    ['7:45 PM', '19:45'],
    ['7:45:12p', '19:45:12'],
    ['12:15 a.m.', '00:15'],
    ['12n', undefined],
    ['12:00 PM', '12:00'],
    ['13:00 PM', undefined],
    ['19:45', undefined],
  ])('%s', (text, time) => {
    expect(timeOfHalves(text)).toBe(time)
  })
})

import { expect, it } from '@jest/globals'
import { airtimeOf } from '../../../src/domain/document/values/airtime.ts'

it.each([
  ['6-7A', '06:00', '07:00'],
  ['10-1130P', '22:00', '23:30'],
  ['11-1P', '11:00', '13:00'],
  ['12n-1p', '12:00', '13:00'],
  ['6A-12A', '06:00', '24:00'],
  ['9-12A', '21:00', '24:00'],
  ['8-12m', '20:00', '24:00'],
  ['12-5A', '24:00', '29:00'],
  ['11:30-1:00a', '23:30', '25:00'],
  ['Sat Night Live Sa-Su 6p-7p', '18:00', '19:00'],
])('the window %s is from %s to %s', (text, start, end) => {
  expect(airtimeOf(text)).toMatchObject({ start, end })
})

it.each([
  ['Sat Night Live Sa-Su 6p-7p', 'Sat Sun', 'Sat Night Live'],
  ['Studio F 6p-7p', undefined, 'Studio F'],
  ['M-F News 6p-7p', 'Mon Tue Wed Thu Fri', 'News'],
  ['WThF 6p-7p', 'Wed Thu Fri', ''],
])('the days of %s stand beside its window', (text, days, rest) => {
  const airtime = airtimeOf(text)
  expect([airtime.days?.join(' '), airtime.rest]).toEqual([days, rest])
})

it('a window whose first clock may be of either half of the day is none', () => expect(airtimeOf('6-2A').start).toBeUndefined())

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
])('the window %s is from %s to %s', (text, start, end) => {
  expect(airtimeOf(text)).toMatchObject({ start, end })
})

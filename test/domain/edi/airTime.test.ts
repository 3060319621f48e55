import { describe, expect, it } from '@jest/globals'
import { airTimeOf, windowsOn } from '../../../src/domain/edi/airTime.ts'
import type { AirWindow } from '../../../src/domain/edi/describeOrder.ts'

const window = (start: string, end: string, days: AirWindow['days'] = ['Mon']): AirWindow => ({ ...(days && { days }), start, end })

describe('airTimeOf', () => {
  it.each([
    [[window('20:00', '23:00')], { start: '20:00:00', end: '23:00:00' }],
    [[window('23:00', '02:00')], { start: '23:00:00', end: '02:00:00' }],
    [[window('20:00', '23:00'), window('20:00', '23:00', ['Tue'])], { start: '20:00:00', end: '23:00:00' }],
    [[window('06:00', '10:00'), window('20:00', '01:30')], { start: '06:00:00', end: '01:30:00', windows: expect.any(String) }],
    [[window('06:00', '10:00'), window('20:00', '00:00')], { start: '06:00:00', end: '00:00:00', windows: expect.any(String) }],
    [[window('05:00', '10:00'), window('20:00', '05:00')], { start: '06:00:00', end: '05:59:00', windows: expect.any(String) }],
    [[window('12:00', '12:00')], { start: '06:00:00', end: '05:59:00', windows: 'Mon 12:00-12:00' }],
    [[], { start: '06:00:00', end: '05:59:00' }],
  ])('of %j is %j', (windows, expected) => {
    expect(airTimeOf(windows)).toEqual(expected)
  })
})

describe('windowsOn', () => {
  const monday = window('06:00', '10:00')
  const dated: AirWindow = { date: '2026-12-08', start: '20:00', end: '22:00' }

  it('takes the windows of the weekdays and of the dates', () => {
    expect(windowsOn([monday, dated], ['2026-12-07'])).toEqual([monday])
    expect(windowsOn([monday, dated], ['2026-12-08'])).toEqual([dated])
    expect(windowsOn([monday, dated], ['2026-12-07', '2026-12-08'])).toEqual([monday, dated])
  })
  it('takes all where none covers the dates', () => {
    expect(windowsOn([monday, dated], ['2026-12-09'])).toEqual([monday, dated])
  })
})

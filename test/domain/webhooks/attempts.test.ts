import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { afterAttempt, afterOutcomes, attemptTime } from '../../../src/domain/webhooks/attempts.ts'

const DAY = 24 * 60 * 60 * 1_000
const NOW = Date.parse('2030-06-01T00:00:00Z')
const ok = (ended: number) => ({ statusCode: 204, ended })
const broken = (ended: number) => ({ statusCode: undefined, ended })

describe('an attempt', () => {
  it.each([200, 201, 204, 299])('that is answered %i ends the delivery well', (status) =>
    expect(afterAttempt(1, status, NOW)).toMatchObject({ status: 'delivered' }),
  )

  it.each([undefined, 100, 199, 300, 302, 400, 404, 429, 500, 503])('that comes to %s is followed by two more, then by none', (status) => {
    expect(afterAttempt(1, status, NOW)).toEqual({ status: 'pending', due: NOW + 2_000 })
    expect(afterAttempt(2, status, NOW)).toEqual({ status: 'pending', due: NOW + 8_000 })
    expect(afterAttempt(3, status, NOW)).toMatchObject({ status: 'dropped' })
  })

  it('that is answered 410 is the last', () => expect(afterAttempt(1, 410, NOW)).toMatchObject({ status: 'dropped' }))

  it('never ends later than 25 s after the first began, for attempts of any length, and always has its time', () => {
    const took = fc.integer({ min: 0, max: 5_000 })
    fc.assert(
      fc.property(took, took, took, (first, second, third) => {
        const afterFirst = afterAttempt(1, 500, NOW + first).due
        const afterSecond = afterAttempt(2, 500, afterFirst + second).due
        expect([undefined, afterFirst, afterSecond].map((at) => attemptTime(at && NOW, at ?? NOW))).toEqual([5_000, 5_000, 5_000])
        expect(afterSecond + third - NOW).toBeLessThanOrEqual(25_000)
      }),
    )
  })

  it('that comes late has what is left of 25.5 s, and does not begin with less than a second; the first itself is never too late', () => {
    const began = fc.integer({ min: 0, max: 40_000 })
    fc.assert(fc.property(began, (after) => after + (attemptTime(NOW, NOW + after) ?? -after) <= 25_500))
    expect(attemptTime(NOW, NOW + 20_500)).toBe(5_000)
    expect(attemptTime(NOW, NOW + 24_500)).toBe(1_000)
    expect(attemptTime(NOW, NOW + 24_501)).toBeUndefined()
    expect(attemptTime(undefined, NOW)).toBe(5_000)
  })
})

describe('an endpoint', () => {
  it('fails since its first failure, until a success', () => {
    expect(afterOutcomes(null, [ok(NOW)])).toEqual({ failingSince: null })
    expect(afterOutcomes(null, [broken(NOW), broken(NOW + 1)])).toEqual({ failingSince: NOW })
    expect(afterOutcomes(NOW, [broken(NOW + DAY)])).toEqual({ failingSince: NOW })
    expect(afterOutcomes(NOW, [ok(NOW + DAY), broken(NOW + 2 * DAY)])).toEqual({ failingSince: NOW + 2 * DAY })
    expect(afterOutcomes(NOW, [])).toEqual({ failingSince: NOW })
  })

  it('is disabled at a 410', () =>
    expect(afterOutcomes(null, [ok(NOW), { statusCode: 410, ended: NOW }])).toMatchObject({ disabled: 'gone' }))

  it('is disabled after five days of nothing but failure, and not a moment before', () => {
    expect(afterOutcomes(NOW, [broken(NOW + 5 * DAY - 1)])).toEqual({ failingSince: NOW })
    expect(afterOutcomes(NOW, [broken(NOW + 5 * DAY)])).toEqual({ failingSince: NOW, disabled: 'failing_for_five_days' })
    expect(afterOutcomes(NOW, [ok(NOW + DAY), broken(NOW + 5 * DAY)])).toEqual({ failingSince: NOW + 5 * DAY })
  })
})

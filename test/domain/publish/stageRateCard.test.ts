import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RateEntry } from '../../../src/contract/rateCard.ts'
import { addDays, weeksBetween } from '../../../src/domain/calendar.ts'
import { costFaults, rateKey, stageRateCard } from '../../../src/domain/publish/stageRateCard.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const effective = { start: '2026-12-07', end: '2027-01-10' } // 2026-W50 to 2027-W01, across a year of 53 weeks
const weeks = weeksBetween(effective.start, effective.end)
const products = new Set(['a', 'b'])

const aRate = (more: Partial<RateEntry> = {}): RateEntry => ({
  product_id: 'a',
  market_class: 'scatter',
  advertiser_class: 'general',
  spot_length: 30,
  buy_type: 'preemptible',
  gross_rate_unit: 100,
  ...more,
})
const stage = (...entries: RateEntry[]) =>
  stageRateCard(
    effective,
    products,
    entries.map((value, index) => ({ index, value })),
    'USD',
  )

const anyRate = fc
  .record({
    product_id: fc.constantFrom('a', 'b'),
    week: fc.option(fc.constantFrom(...weeks), { nil: undefined }),
    spot_length: fc.constantFrom(15, 30),
    buy_type: fc.constantFrom('preemptible' as const, 'fixed_position' as const),
    clearance_tier: fc.option(fc.constantFrom('P1', 'P2'), { nil: undefined }),
    gross_rate_unit: fc.integer({ min: 1, max: 1000 }),
  })
  .map(({ week, clearance_tier, ...rate }) => aRate({ ...rate, ...(week && { week }), ...(clearance_tier && { clearance_tier }) }))

describe('stageRateCard: materialisation', () => {
  it('prices every key and week once, the week-specific entry before the spanning one', () => {
    fc.assert(
      fc.property(fc.array(anyRate, { maxLength: 60 }), (entries) => {
        const { accepted, errors } = stage(...entries)
        const priced = new Map<string, RateEntry>()
        for (const { entry, weeks: own } of accepted) {
          for (const week of own) {
            const place = `${rateKey(entry)} ${week}`
            expect(priced.has(place)).toBe(false)
            priced.set(place, entry)
          }
        }
        for (const entry of entries) {
          for (const week of entry.week === undefined ? weeks : [entry.week]) {
            const winner = priced.get(`${rateKey(entry)} ${week}`)
            const specific = entries.some((other) => rateKey(other) === rateKey(entry) && other.week === week)
            expect([winner !== undefined, winner?.week]).toEqual([true, specific ? week : undefined])
          }
        }
        expect(accepted.length + errors.length).toBe(entries.length)
      }),
    )
  })

  it('covers exactly the ISO weeks of the window', () => {
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days))
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 800 }), (start, length) => {
        const window = { start, end: addDays(start, length) }
        const [first] = stageRateCard(window, products, [{ index: 0, value: aRate() }], 'USD').accepted
        expect(first?.weeks).toEqual(weeksBetween(window.start, window.end))
      }),
    )
  })

  it('says of a second guarantee in one place that the audience code does not tell them apart', () => {
    const guaranteed = (audience_code: string) => aRate({ buy_type: 'audience_guaranteed', audience_code, guaranteed_impressions: 1_000 })
    const { errors } = stage(guaranteed('A18-49'), guaranteed('A25-54'))
    expect(errors).toEqual([expect.objectContaining({ index: 1, message: expect.stringContaining('audience code') })])
  })

  it('keeps the first of two entries for the same', () => {
    const { accepted, errors } = stage(aRate(), aRate({ gross_rate_unit: 2 }), aRate({ week: '2026-W50' }), aRate({ week: '2026-W50' }))
    expect(accepted.map(({ index }) => index)).toEqual([0, 2])
    expect(errors.map(({ index, error_code }) => [index, error_code])).toEqual([
      [1, 'INVALID_ENTRY'],
      [3, 'INVALID_ENTRY'],
    ])
  })
})

describe('stageRateCard: minor units', () => {
  it.each([
    ['JPY', 1000, undefined],
    ['JPY', 1000.5, 'gross_rate_unit must have no decimal places, since it is in JPY; 1000.5 was sent.'],
    ['USD', 1000.55, undefined],
    ['USD', 0.335, 'gross_rate_unit must have at most 2 decimal places, since it is in USD; 0.335 was sent.'],
    [undefined, 1e-7, 'gross_rate_unit must have at most 2 decimal places, since it is in USD; 1e-7 was sent.'],
    ['KWD', 1000.125, undefined],
    ['IQD', 0.125, undefined],
    ['AFN', 0.25, undefined],
    ['UYW', 0.1234, undefined],
  ])('takes a price in %s of %d, or refuses it as finer than its currency', (currency, gross_rate_unit, message) => {
    const { accepted, errors } = stage(aRate({ currency, gross_rate_unit }))
    expect([accepted.length, errors]).toEqual(
      message === undefined
        ? [1, []]
        : [0, [{ index: 0, error_code: 'INVALID_ENTRY', field: 'gross_rate_unit', value: gross_rate_unit, message }]],
    )
  })

  it('holds of a cpm too', () => {
    const { errors } = stage(aRate({ gross_rate_unit: undefined, gross_rate_cpm: 12.345, currency: 'USD' }))
    expect(errors.map(({ field }) => field)).toEqual(['gross_rate_cpm'])
  })
})

describe('stageRateCard: bounds', () => {
  it.each([
    [{ start: '1969-12-31', end: '1970-01-07' }, 'effective.start'],
    [{ start: '2026-01-01', end: '3000-01-01' }, 'effective.end'],
    [{ start: '2026-01-01', end: '2060-01-01' }, 'effective.end'],
  ])('refuses the window %j', (window, field) => {
    const refusal = refusalOf(() => stageRateCard(window, products, [], 'USD'))
    expect([refusal.code, refusal.details.field]).toEqual(['INVALID_INPUT', field])
  })

  it('refuses more prices than one transaction should write', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => ({ index, value: aRate({ advertiser_class: `c${index}` }) }))
    const refusal = refusalOf(() => stageRateCard({ start: '2010-01-01', end: '2030-01-01' }, products, entries, 'USD'))
    expect(refusal.details).toMatchObject({ field: 'entries', limit: 1_000_000 })
  })

  it('refuses stamps that no database keeps, per entry', () => {
    const { errors } = stage(aRate({ window: { closes: '0000-01-01T00:00:00Z' } }), aRate({ quote_expires_at: '9999-01-01T00:00:00Z' }))
    expect(errors.map(({ field }) => field)).toEqual(['window.closes', 'quote_expires_at'])
  })
})

describe('costFaults', () => {
  it('names every entry with both costs or neither, among its other faults', () => {
    const sent = [aRate(), { gross_rate_unit: 1, gross_rate_cpm: 1 }, {}, 'text', null, [], { gross_rate_cpm: 1, gross_rate_unit: null }]
    expect(costFaults(sent).map(({ field, error_code }) => [field, error_code])).toEqual([
      ['entries.1.gross_rate_unit', 'INVALID_INPUT'],
      ['entries.2.gross_rate_unit', 'INVALID_INPUT'],
    ])
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { weeksOfMonth } from '../../../src/domain/calendar.ts'
import { comparedWeeks, mergedCard, refuseGrainConflicts, type WeekPrice } from '../../../src/domain/publish/grainConflict.ts'
import { aWeekPrice } from '../../support/orders/published.ts'

const price = (week: string, gross_rate_unit: string, more: Partial<WeekPrice> = {}) => aWeekPrice(week, { gross_rate_unit, ...more })
const check = (...prices: WeekPrice[]) => refuseGrainConflicts(new Set(['m']), prices)
const conflict = expect.objectContaining({ code: 'GRAIN_CONFLICT' })

describe('refuseGrainConflicts', () => {
  it('refuses a month whose weeks differ, and reports its prices', () => {
    expect(() => check(price('2026-W50', '10'), price('2026-W51', '11'))).toThrow(
      expect.objectContaining({
        code: 'GRAIN_CONFLICT',
        details: {
          product_id: 'm',
          month: '2026-12',
          conflicts: [
            expect.objectContaining({
              month: '2026-12',
              prices: [
                { week: '2026-W50', gross_rate_unit: 10, currency: 'USD' },
                { week: '2026-W51', gross_rate_unit: 11, currency: 'USD' },
              ],
            }),
          ],
        },
      }),
    )
  })

  it('takes what a price by cpm guarantees, and to whom, for part of the price; of one by unit it is not', () => {
    const by = (cost: 'gross_rate_unit' | 'gross_rate_cpm', week: string, more: object) =>
      price(week, '10', { gross_rate_unit: null, gross_rate_cpm: null, [cost]: '10', ...more })
    const pairs = [
      { guaranteed_impressions: 20_000, audience_code: 'A25-54' },
      { guaranteed_impressions: 40_000, audience_code: 'A25-54' },
      { guaranteed_impressions: 20_000, audience_code: 'A18-49' },
      {},
    ]
    for (const [at, first] of pairs.entries()) {
      for (const other of pairs.slice(at + 1)) {
        expect(() => check(by('gross_rate_cpm', '2026-W50', first), by('gross_rate_cpm', '2026-W51', other))).toThrow(conflict)
        check(by('gross_rate_unit', '2026-W50', first), by('gross_rate_unit', '2026-W51', other))
      }
      check(by('gross_rate_cpm', '2026-W50', first), by('gross_rate_cpm', '2026-W51', first))
    }
  })

  it('compares amounts, not their texts, and ignores weeks without a price', () => {
    expect(() => check(price('2026-W49', '10'), price('2026-W52', '10.00'))).not.toThrow()
  })

  it('finds no conflict between months, keys, scopes or products that do not sell by the month', () => {
    expect(() =>
      check(
        price('2026-W46', '10'),
        price('2026-W50', '11'),
        price('2026-W51', '12', { spot_length: 15 }),
        price('2026-W51', '13', { agreement_id: 'agr' }),
        price('2026-W51', '14', { product_id: 'weekly' }),
      ),
    ).not.toThrow()
  })

  it('counts a week on the turn of two months to both', () => {
    expect(weeksOfMonth('2026-11')).toContain('2026-W49')
    expect(() => check(price('2026-W48', '10'), price('2026-W49', '11'))).toThrow(conflict)
    expect(() => check(price('2026-W49', '11'), price('2026-W50', '10'))).toThrow(conflict)
  })

  it('compares a week with the weeks of both months that it touches', () => {
    const both = new Set([...weeksOfMonth('2026-11'), ...weeksOfMonth('2026-12')])
    expect(new Set(comparedWeeks(['2026-W49']))).toEqual(both)
    expect(comparedWeeks(['2026-W47', '2026-W47']).sort()).toEqual([...weeksOfMonth('2026-11')].sort())
  })

  it('distinguishes bases and currencies', () => {
    const cpm = { gross_rate_unit: null, gross_rate_cpm: '10' }
    expect(() => check(price('2026-W50', '10'), price('2026-W51', '10', cpm))).toThrow(conflict)
    expect(() => check(price('2026-W50', '10'), price('2026-W51', '10', { currency: 'CAD' }))).toThrow(conflict)
  })

  it('holds over the card as the commit leaves it: the newer price replaces the current one of its key, week and scope', () => {
    const weeks = weeksOfMonth('2026-12')
    const costs = fc.array(fc.constantFrom('10', '11'), { minLength: weeks.length, maxLength: weeks.length })
    const sent = fc.array(fc.option(fc.constantFrom('10', '11')), { minLength: weeks.length, maxLength: weeks.length })
    fc.assert(
      fc.property(costs, sent, (before, commit) => {
        const standing = weeks.map((week, i) => price(week, before[i] ?? ''))
        const committed = weeks.flatMap((week, i) => (commit[i] ? [price(week, commit[i])] : []))
        const after = weeks.map((_, i) => commit[i] ?? before[i])
        const judge = expect(() => check(...mergedCard(standing, committed)))
        if (new Set(after).size === 1) judge.not.toThrow()
        else judge.toThrow(conflict)
      }),
    )
  })
})

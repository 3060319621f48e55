import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { PlanTotals } from '../../../src/contract/planProposal.ts'
import type { ProposalRequest } from '../../../src/contract/proposalRequest.ts'
import { evaluateBand } from '../../../src/domain/proposal/acceptanceBand.ts'

/** Of a plan whose lines come to nothing: what is stated alone counts. */
const bandVerdict = (request: ProposalRequest, totals: PlanTotals) => evaluateBand(request, totals, 0)?.verdict ?? null
const band = (metric: 'delivery' | 'budget', tolerance_pct: number) => ({ metric, tolerance_pct, action: 'flag' as const })
const delivery = (target: number, pct: number, totals: PlanTotals) =>
  bandVerdict(
    { request_type: 'audience_plan', audience: { currency_goal: { unit: 'A25-54', target } }, acceptance_band: band('delivery', pct) },
    totals,
  )
const delivers = (value: number) => ({ projected_delivery: { 'A25-54': value } })
const budget = (budget_gross: number, pct: number, totals: PlanTotals) =>
  bandVerdict({ request_type: 'specs', budget_gross, acceptance_band: band('budget', pct) }, totals)

describe('a delivery band', () => {
  it.each([
    [5_000_000, 2, 4_900_000, 'satisfied'],
    [5_000_000, 2, 4_899_999.999, 'not_satisfied'],
    [5_000_000, 0, 5_000_000, 'satisfied'],
    [5_000_000, 0, 4_999_999, 'not_satisfied'],
    [5_000_000, 2, 50_000_000, 'satisfied'],
    [1, 100, 0, 'satisfied'],
    [0.3, 33.33, 0.20001, 'satisfied'],
    [0.3, 33.33, 0.200009, 'not_satisfied'],
  ])('target %d, tolerance %d%%, planned %d: %s', (target, pct, planned, verdict) =>
    expect(delivery(target, pct, delivers(planned))).toBe(verdict),
  )
})

describe('a budget band', () => {
  it.each([
    [250_000.5, 2, 255_000.51, 'satisfied'],
    [250_000.5, 2, 255_000.52, 'not_satisfied'],
    [1_000, 0, 1_000, 'satisfied'],
    [1_000, 0, 1_000.01, 'not_satisfied'],
    [1_000, 2, 0, 'satisfied'],
    // 1.1 x 1.1 is 1.2100000000000002 in floating point.
    [1.1, 10, 1.21, 'satisfied'],
    [1.1, 10, 1.2100000000001, 'not_satisfied'],
  ])('budget %d, tolerance %d%%, gross %d: %s', (target, pct, gross, verdict) => expect(budget(target, pct, { gross })).toBe(verdict))
})

describe('a band that cannot be evaluated', () => {
  const goal = { unit: 'A25-54', target: 10 }
  it.each<[string, ProposalRequest, PlanTotals]>([
    [
      'the plan omits its delivery',
      { request_type: 'specs', audience: { currency_goal: goal }, acceptance_band: band('delivery', 2) },
      { gross: 1 },
    ],
    [
      'the plan delivers in another unit',
      { request_type: 'specs', audience: { currency_goal: goal }, acceptance_band: band('delivery', 2) },
      { projected_delivery: { HH: 99 } },
    ],
    [
      'the unit is named like a member of every object',
      { request_type: 'specs', audience: { currency_goal: { unit: 'toString', target: 1 } }, acceptance_band: band('delivery', 2) },
      delivers(5),
    ],
    ['the request omits its goal', { request_type: 'specs', acceptance_band: band('delivery', 2) }, delivers(5)],
    ['the plan omits its gross', { request_type: 'specs', budget_gross: 10, acceptance_band: band('budget', 2) }, delivers(5)],
    ['the request omits its budget', { request_type: 'specs', acceptance_band: band('budget', 2) }, { gross: 5 }],
  ])('%s', (_, request, totals) => expect(bandVerdict(request, totals)).toBe('not_evaluable'))

  it('does not exist if the request has none', () =>
    expect(bandVerdict({ request_type: 'specs', budget_gross: 1 }, { gross: 5 })).toBeNull())
})

describe('the edge', () => {
  /** Cents and basis points, so that the test can do in whole numbers what the rule does in decimals. */
  const cents = fc.integer({ min: 1, max: 10 ** 9 })
  const points = fc.integer({ min: 0, max: 10_000 })

  it('is exactly where whole numbers put it, and inside', () => {
    fc.assert(
      fc.property(cents, points, fc.integer({ min: -3, max: 3 }), (target, tolerance, off) => {
        const least = BigInt(target) * BigInt(10_000 - tolerance)
        const max = BigInt(target) * BigInt(10_000 + tolerance)
        const low = Math.max(Number(least / 10_000n) + off, 0)
        const high = Math.max(Number(max / 10_000n) + off, 0)
        const kept = (inside: boolean) => (inside ? 'satisfied' : 'not_satisfied')
        expect(delivery(target / 100, tolerance / 100, delivers(low / 100))).toBe(kept(BigInt(low) * 10_000n >= least))
        expect(budget(target / 100, tolerance / 100, { gross: high / 100 })).toBe(kept(BigInt(high) * 10_000n <= max))
      }),
      { numRuns: 500 },
    )
  })

  it('is never crossed by delivering more, by spending less, or by a wider tolerance', () => {
    const more = fc.integer({ min: 0, max: 10 ** 9 })
    fc.assert(
      fc.property(cents, points, cents, more, fc.integer({ min: 0, max: 10_000 }), (target, tolerance, value, further, wider) => {
        const pct = tolerance / 100
        const wide = Math.min(tolerance + wider, 10_000) / 100
        if (delivery(target, pct, delivers(value)) === 'satisfied') {
          expect(delivery(target, pct, delivers(value + further))).toBe('satisfied')
          expect(delivery(target, wide, delivers(value))).toBe('satisfied')
        }
        if (budget(target, pct, { gross: value }) === 'satisfied') {
          expect(budget(target, pct, { gross: Math.max(value - further, 0) })).toBe('satisfied')
          expect(budget(target, wide, { gross: value })).toBe('satisfied')
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a plan that states less than its lines come to', () => {
  const request: ProposalRequest = {
    request_type: 'audience_plan',
    audience: { currency_goal: { unit: 'A25-54', target: 100 } },
    budget_gross: 10_000,
  }
  const understated = { verdict: 'not_evaluable', reason: 'totals_understated' }
  const totals = { gross: 7_199.99, ...delivers(1_000) }

  it('satisfies no budget band', () => {
    const asked = { ...request, acceptance_band: band('budget', 0) }
    expect(evaluateBand(asked, totals, '7200')).toEqual(understated)
    expect(evaluateBand(asked, { ...totals, gross: 7_200 }, '7200')).toEqual({ verdict: 'satisfied' })
    expect(evaluateBand(asked, { ...totals, gross: 8_000 }, '7200')).toEqual({ verdict: 'satisfied' })
  })
  it('is judged by its delivery alone under a delivery band', () => {
    const asked = { ...request, acceptance_band: band('delivery', 0) }
    expect(evaluateBand(asked, totals, '7200')).toEqual({ verdict: 'satisfied' })
    expect(evaluateBand(asked, { ...totals, ...delivers(99) }, '7200')).toEqual({ verdict: 'not_satisfied' })
  })
  it('is not evaluable, without a reason, when it states no gross', () => {
    expect(evaluateBand({ ...request, acceptance_band: band('budget', 0) }, {}, '7200')).toEqual({ verdict: 'not_evaluable' })
    expect(evaluateBand({ ...request, acceptance_band: band('delivery', 0) }, delivers(100), '7200')).toEqual({ verdict: 'satisfied' })
  })
  it('is held against nothing where there is no band', () => expect(evaluateBand(request, totals, '7200')).toBeNull())
})

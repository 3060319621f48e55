import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type ApprovalRule, PutApprovalRules } from '../../../src/contract/approvalRules.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { decisionOf, ruleFor } from '../../../src/domain/gate/approvalRules.ts'
import { aLine, anOrder, BUYER } from '../../support/orders/anOrder.ts'

const TODAY = '2026-11-02'
const FIRST_AIR_DATE = '2026-12-07' // 35 days later
/** Two lines of 600.00 each, a week of `prime` and a day of `late`. */
const order = anOrder({
  status: 'seller_review',
  lines: [aLine(), aLine({ product_id: 'late', period: { grain: 'day', start: '2026-12-09' }, rate: { market_class: 'discounted' } })],
})

const rule = (when: ApprovalRule['when'], verdict: ApprovalRule['then'] = 'approve', id = 'r'): ApprovalRule =>
  ({ id, when, then: verdict }) as ApprovalRule
const decideByRules = (...ask: Parameters<typeof ruleFor>) => decisionOf(ruleFor(...ask))
const approves = (when: ApprovalRule['when'], on = order, today = TODAY) => decideByRules(on, [rule(when)], today)?.decision === 'approve'

describe('approval rules', () => {
  it('decide as the first that matches says, and name it', () => {
    const rules = [rule({ buyers: ['nobody'] }, 'reject', 'a'), rule({}, 'approve', 'b'), rule({}, 'reject', 'c')]
    expect(decideByRules(order, rules, TODAY)).toEqual({ decision: 'approve', actor: 'rule:b' })
  })

  it('leave to a person what they hold, and what none matches', () => {
    expect(decideByRules(order, [rule({}, 'hold'), rule({})], TODAY)).toBeUndefined()
    expect(decideByRules(order, [rule({ buyers: ['nobody'] })], TODAY)).toBeUndefined()
    expect(decideByRules(order, [], TODAY)).toBeUndefined()
  })

  it.each([
    ['max_gross, inclusive', { max_gross: 1200 }, { max_gross: 1199.99 }],
    ['min_lead_days, inclusive', { min_lead_days: 35 }, { min_lead_days: 36 }],
    ['advertisers', { advertisers: ['x', 'adv-1'] }, { advertisers: ['x'] }],
    ['buyers', { buyers: [BUYER] }, { buyers: ['x'] }],
    ['products, every line', { products: ['prime', 'late'] }, { products: ['prime'] }],
    ['market_classes, every line', { market_classes: ['scatter', 'discounted'] }, { market_classes: ['scatter'] }],
    ['grains, every line', { grains: ['week', 'day'] }, { grains: ['week'] }],
    ['all members at once', { max_gross: 5000, buyers: [BUYER] }, { max_gross: 5000, buyers: ['x'] }],
  ] as [string, ApprovalRule['when'], ApprovalRule['when']][])('ask for %s', (_, kept, broken) => {
    expect([approves(kept), approves(broken)]).toEqual([true, false])
  })

  it('compare gross exactly', () => {
    const cents = anOrder({ status: 'seller_review', lines: [1, 2, 3].map(() => aLine({ units: 1, rate: { unit_cost: 0.1 } })) })
    expect([approves({ max_gross: 0.3 }, cents), approves({ max_gross: 0.29 }, cents)]).toEqual([true, false])
  })

  it('count the days from today to the first air date, and none when that is past', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60, max: 60 }), fc.nat({ max: 60 }), (lead, asked) => {
        expect(approves({ min_lead_days: asked }, order, addDays(FIRST_AIR_DATE, -lead))).toBe(lead >= asked)
      }),
    )
  })

  it('do not decide orders that are not in review', () => {
    for (const status of [
      'submitted',
      'validating',
      'needs_confirmation',
      'negotiating',
      'placed',
      'canceled',
      'rejected',
      'failed',
    ] as const) {
      expect(decideByRules(anOrder({ status }), [rule({})], TODAY)).toBeUndefined()
    }
  })

  it('decide fewer orders the more conditions they have', () => {
    const condition = fc.record(
      {
        max_gross: fc.constantFrom(1199.99, 1200),
        min_lead_days: fc.constantFrom(35, 36),
        buyers: fc.subarray([BUYER, 'x'], { minLength: 1 }),
        products: fc.subarray(['prime', 'late'], { minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(condition, condition, (some, more) => {
        const both = Object.entries({ ...more, ...some })
        expect(!approves(Object.fromEntries(both)) || approves(some)).toBe(true)
      }),
    )
  })
})

describe('PutApprovalRules', () => {
  const issues = (body: unknown) => PutApprovalRules.safeParse(body).error?.issues.map(({ path }) => path.join('.'))
  it('accepts a rule for every order that says so explicitly', () => {
    expect(PutApprovalRules.parse({ rules: [{ id: 'all', when: {}, then: 'hold' }] }).rules[0]?.when).toEqual({})
    expect(issues({ rules: [{ id: 'all', then: 'hold' }] })).toEqual(['rules.0.when'])
  })
  it('reports a second rule with the same id, and all other faults', () => {
    const body = { rules: [rule({}), { ...rule({}), then: 'maybe' }, rule({ products: [] })] }
    expect(issues(body)?.sort()).toEqual(['rules.1.id', 'rules.1.then', 'rules.2.id', 'rules.2.when.products'])
  })
})

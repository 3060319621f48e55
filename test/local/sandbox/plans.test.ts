import { describe, expect, it } from '@jest/globals'
import { PlanOrder } from '../../../src/contract/planOrder.ts'
import type { ProposalRequest } from '../../../src/contract/proposalRequest.ts'
import { decimal } from '../../../src/domain/decimal.ts'
import { evaluateBand } from '../../../src/domain/proposal/acceptanceBand.ts'
import { PLAN_HABITS } from '../../../src/local/sandbox/habits.ts'
import { planFor } from '../../../src/local/sandbox/plans.ts'
import { planHabitOf } from '../../../src/local/sandbox/sellerMoves.ts'

const request: ProposalRequest = {
  request_type: 'open',
  brief: 'A plan',
  budget_gross: 20_000,
  flight: { start: '2030-06-03', end: '2030-06-30' },
}
const order = { request, updated_at: '2030-05-01T12:00:00.000Z' }
const plan = (anchor: string, asked: ProposalRequest = request) => {
  const habit = PLAN_HABITS.find((each) => each.anchor === anchor)
  if (habit === undefined) throw new Error(`no plan is called ${anchor}`)
  return planFor({ ...order, request: asked }, habit, 'lr_1')
}

describe('a plan of the sandbox', () => {
  it.each(PLAN_HABITS.map(({ anchor }) => anchor))('%s is what the contract takes, and the same each time', (anchor) => {
    expect(PlanOrder.safeParse(plan(anchor)).error).toBeUndefined()
    expect(plan(anchor)).toEqual(plan(anchor))
  })

  it('is within the budget, or short of it with what is unmet', () => {
    expect(plan('sbx-plan').plan_totals.gross).toBe(20_000)
    expect(plan('sbx-plan-short')).toMatchObject({ plan_totals: { gross: 10_000 }, unmet: [expect.any(String)] })
  })

  it('is the usual one unless an anchor names another, and says what there is where one is misspelt', () => {
    const habitOf = (...anchor_package_ids: string[]) => planHabitOf({ request: { ...request, anchor_package_ids } })
    expect([habitOf(), habitOf('prime'), habitOf('prime', 'sbx-plan-late')].map(({ anchor }) => anchor)).toEqual([
      'sbx-plan',
      'sbx-plan',
      'sbx-plan-late',
    ])
    expect(habitOf('prime').unmet).toBeUndefined()
    const misspelt = planFor(order, habitOf('sbx-plan-latte'), 'lr_1')
    expect(misspelt).toMatchObject({ plan_id: 'sbx-plan-1', unmet: [expect.stringMatching(/no plan sbx-plan-latte; .*sbx-plan-late/)] })
  })

  it.each([
    [{ ...request, acceptance_band: { metric: 'budget', tolerance_pct: 2.5, action: 'flag' } }],
    [
      {
        ...request,
        acceptance_band: { metric: 'delivery', tolerance_pct: 3, action: 'flag' },
        audience: { currency_goal: { unit: 'A25-54', target: 100_001 } },
      },
    ],
  ] as [ProposalRequest][])('is exactly on the edge of a band: %j', (asked) => {
    const { plan_totals, line_items } = plan('sbx-plan-edge', asked)
    expect(evaluateBand(asked, plan_totals, decimal(line_items[0]?.quote?.unit_cost ?? 0))).toMatchObject({ verdict: 'satisfied' })
    const [beyond, less] = [{ ...plan_totals, gross: (plan_totals.gross ?? 0) + 0.01 }, plan_totals.projected_delivery?.['A25-54']]
    const off = less === undefined ? beyond : { ...plan_totals, projected_delivery: { 'A25-54': less - 0.01 } }
    expect(evaluateBand(asked, off, decimal(off.gross ?? 0))).toMatchObject({ verdict: 'not_satisfied' })
  })
})

import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { PlanOrder } from '../../../src/contract/planOrder.ts'
import { confirm } from '../../../src/domain/order/confirm.ts'
import { plan } from '../../../src/domain/order/plan.ts'
import { snapshot } from '../../../src/domain/order/snapshot.ts'
import { currentPlan, type OrderState } from '../../../src/domain/order/state.ts'
import type { PlanTerms } from '../../../src/domain/proposal/planLines.ts'
import { aLine, aProduct, BUYER, priceOf } from '../../support/orders/anOrder.ts'
import { aProposal, type ProposalChanges } from '../../support/orders/aProposal.ts'
import { given } from '../../support/orders/given.ts'

const NOW = '2026-11-03T00:00:00.000Z'
const EXPIRES = '2026-11-04T00:00:00.000Z'
const LATER = '2026-11-05T00:00:00.000Z'
const RATE = { market_class: 'scatter', advertiser_class: 'general', buy_type: 'preemptible', currency: 'USD' }

const cited = (more: object = {}) => ({ ...aLine(), ...more })
const quoted = (more: object = {}, quote: object = {}) => {
  const { rate: _, ...line } = aLine()
  return { ...line, rate: RATE, quote: { unit_cost: 80, expires_at: LATER, ...quote }, ...more }
}
const aPlan = (more: object = {}) => PlanOrder.parse({ line_items: [cited()], plan_totals: {}, expires_at: EXPIRES, ...more })
const terms = (more: Partial<PlanTerms> = {}): PlanTerms => ({
  seller: 'seller_one',
  provider: 'Seller One',
  flight: undefined,
  products: [aProduct()],
  permissions: { buy_types: undefined, grains: undefined },
  overrides: new Map(),
  creatives: [],
  attached: undefined,
  cited: [priceOf(aLine())],
  card: [],
  avails: [],
  asked_at: NOW,
  buyer_entity: BUYER,
  currency: 'USD',
  minted: new Set(),
  taken_refs: new Map(),
  ...more,
})
const ids = (of: string) => {
  const each = (prefix: string) => [1, 2, 3].map((index) => `${prefix}_${of}_${index}`)
  return { unit_ids: each('unit'), product_ids: each('prod'), locked_rate_ids: each('lr') }
}
const context = (name = 'a', more: object = {}) => ({ ...ids(name), now: NOW, plan_id: `plan_${name}`, sha256: `sha_${name}`, ...more })
const planned = (more: object = {}, order: OrderState = aProposal(), name = 'a') =>
  given(order, NOW).when(plan, aPlan(more), terms(), context(name))
const banded = (metric: 'budget' | 'delivery', action: 'auto_accept' | 'flag', more: ProposalChanges['request'] = {}) =>
  aProposal({ request: { acceptance_band: { metric, tolerance_pct: 2, action }, ...more } })

describe('returning a plan', () => {
  it('parks the proposal with its buyer, and leaves its lines as they are', () => {
    const attempt = planned({ actor: 'Sam', unmet: ['nothing on Sundays'], plan_totals: { gross: 600 } })
    attempt.gives({
      status: 'needs_confirmation',
      prior_status: 'validating',
      substatus: null,
      artifact: { name: 'plan_proposal', seq: 3, unmet: ['nothing on Sundays'], plan_totals: { gross: 600 } },
    })
    const { after, events, outcome } = attempt.result()
    expect(events[0]?.acceptance_band).toBeUndefined()
    expect(outcome).toEqual({
      order_id: 'ord_1',
      plan_id: 'plan_a',
      status: 'needs_confirmation',
      last_seq: 3,
      acceptance_band: null,
      computed_gross: 600,
    })
    expect(snapshot(after)).toMatchObject({ line_items: [], totals: { gross: 0 }, artifacts: [{ plan_id: 'plan_a' }] })
  })

  it('publishes a quote over the weeks of its line, and cites the first of them', () => {
    const line = quoted({ period: { grain: 'month', start: '2026-12' } }, { unit_cost: 0.1 })
    const { quotes, minted } = plan(aProposal(), aPlan({ line_items: [line] }), terms(), context())
    const weeks = ['2026-W49', '2026-W50', '2026-W51', '2026-W52', '2026-W53']
    expect(quotes).toMatchObject([
      { locked_rate_id: 'lr_a_1', weeks, gross_rate_unit: '0.1', gross_rate_cpm: null, quote_expires_at: LATER },
    ])
    expect(minted).toEqual([])
    const { after } = planned({ line_items: [line] }).result()
    expect(currentPlan(after)?.line_items[0]?.rate).toMatchObject({
      unit_cost: 0.1,
      rate_basis: 'per_unit',
      locked_rate_id: 'lr_a_1',
      quote_expires_at: LATER,
    })
  })

  it('mints a definition once, always visible to the buyer, each list a set', () => {
    const { product_id: _, ...product } = aProduct({ visibility: 'by_agreement', currencies: ['HH', 'HH'] })
    const line = quoted({ product_id: undefined, product })
    const other = quoted({ product_id: undefined, product: { ...product, name: 'Other' } })
    const { minted = [], events } = plan(aProposal(), aPlan({ line_items: [line, line, other] }), terms(), context())
    expect(minted.map(({ product_id, visibility, currencies }) => [product_id, visibility, currencies])).toEqual([
      ['prod_a_1', 'open', ['HH']],
      ['prod_a_3', 'open', ['HH']],
    ])
    const lines = events[0]?.artifact?.name === 'plan_proposal' ? events[0].artifact.line_items : []
    expect(lines.map(({ product_id, minted: made }) => [product_id, made])).toEqual([
      ['prod_a_1', true],
      ['prod_a_1', true],
      ['prod_a_3', true],
    ])
  })

  it('refuses the second of two new products that share a reference', () => {
    const { product_id: _, ...product } = aProduct({ external_ref: 'r' })
    const line_items = [
      quoted({ product_id: undefined, product }),
      quoted({ product_id: undefined, product: { ...product, name: 'Other' } }),
    ]
    planned({ line_items }).refused('DUPLICATE_EXTERNAL_REF', {
      field: 'line_items.1.product.external_ref',
      product_ids: ['prod_a_1', 'prod_a_2'],
    })
  })

  it('supersedes the previous plan: one is current, and both are remembered', () => {
    const { after } = planned().result()
    const second = planned({ line_items: [cited({ units: 1 })] }, after, 'b').result()
    expect(second.events).toMatchObject([{ status: 'needs_confirmation', prior_status: 'needs_confirmation' }])
    expect(second.after.artifacts).toHaveLength(1)
    expect(currentPlan(second.after)?.plan_id).toBe('plan_b')
    expect(second.after.plans).toEqual([
      { plan_id: 'plan_a', sha256: 'sha_a' },
      { plan_id: 'plan_b', sha256: 'sha_b' },
    ])
    const booked = given(second.after, NOW).when(confirm, { action: 'confirm', actor: 'Bea' }, { gate: 'api', now: NOW }).result()
    expect(booked.after.lines.map(({ unit_id, units }) => [unit_id, units])).toEqual([['unit_b_1', 1]])
  })

  it('of the same bytes again changes nothing; a plan_id with others is CONFLICT, superseded or not', () => {
    const first = planned({ plan_id: 'P' }).result().after
    const superseded = planned({}, first, 'b').result().after
    for (const order of [first, superseded]) {
      given(order, NOW)
        .when(plan, aPlan({ plan_id: 'P' }), terms(), context())
        .changesNothing()
      given(order, NOW)
        .when(plan, aPlan({ plan_id: 'P' }), terms(), context('c'))
        .refused('CONFLICT', { field: 'plan_id', plan_id: 'P' })
    }
  })
})

describe('the expiry of a plan', () => {
  const lapsing = terms({ cited: [{ ...priceOf(aLine()), quote_expires_at: EXPIRES }] })
  const expiring = (more: object, than = terms()) => given(aProposal(), NOW).when(plan, aPlan(more), than, context())

  it.each([
    [NOW, 'INVALID_INPUT'],
    ['2026-11-02T23:59:59.999Z', 'INVALID_INPUT'],
    ['2026-11-03T05:00:00.000+05:00', 'INVALID_INPUT'],
  ] as const)('lies ahead: %s does not', (expires_at, code) => expiring({ expires_at }).refused(code, { field: 'expires_at' }))

  it('may be that of the first quote, and no later', () => {
    const line_items = [quoted(), quoted({}, { expires_at: '2026-11-04T12:00:00+02:00' })]
    expiring({ line_items, expires_at: '2026-11-04T10:00:00.000Z' }).gives({ status: 'needs_confirmation' })
    const earliest_quote_expires_at = '2026-11-04T10:00:00.000Z'
    expiring({ line_items, expires_at: '2026-11-04T10:00:00.001Z' }).refused('INVALID_INPUT', {
      field: 'expires_at',
      earliest_quote_expires_at,
    })
    // The same instants as other offsets write them: their texts sort otherwise.
    expiring({ line_items, expires_at: '2026-11-04T14:00:00.000+04:00' }).gives({ status: 'needs_confirmation' })
    expiring({ line_items, expires_at: '2026-11-04T06:00:00.001-04:00' }).refused('INVALID_INPUT', { earliest_quote_expires_at })
  })

  it('is held against published prices that lapse as well', () => {
    expiring({}, lapsing).gives({ status: 'needs_confirmation' })
    expiring({ expires_at: LATER }, lapsing).refused('INVALID_INPUT', { earliest_quote_expires_at: EXPIRES })
  })
})

const EXACT = { metric: 'budget', tolerance_pct: 0, action: 'flag' } as const

describe('the acceptance band', () => {
  it('of a plan that states less than its lines come to says why a person is to confirm', () => {
    const attempt = planned({ plan_totals: { gross: 1 } }, banded('budget', 'auto_accept'))
    const said = { acceptance_band: 'not_evaluable', acceptance_band_reason: 'totals_understated', computed_gross: 600 }
    attempt.gives({ status: 'needs_confirmation', ...said, artifact: { plan_totals: { gross: 1 }, computed_gross: 600 } })
    expect(attempt.result().outcome).toMatchObject(said)
  })

  it("that is satisfied confirms in the buyer's place, by the buyer's own rule", () => {
    const { events, outcome, after } = planned({ plan_totals: { gross: 1_020 } }, banded('budget', 'auto_accept')).result()
    expect(events).toMatchObject([
      { status: 'needs_confirmation', acceptance_band: 'satisfied' },
      {
        status: 'seller_review',
        acceptance_band: 'satisfied',
        decision_record: { gate: 'acceptance_band', actor: 'acceptance_band', decision: 'confirm' },
        units: [{ unit_id: 'unit_a_1', status: 'pending' }],
      },
    ])
    expect(outcome).toMatchObject({ status: 'seller_review', last_seq: after.last_seq, acceptance_band: 'satisfied' })
    const byHand = given(planned({}).result().after, NOW)
      .when(confirm, { action: 'confirm', actor: 'Bea' }, { gate: 'api', now: NOW })
      .result()
    expect(after.lines).toEqual(byHand.after.lines)
  })

  it.each([
    ['not satisfied', banded('budget', 'auto_accept'), { gross: 1_020.01 }, 'not_satisfied'],
    ['flagged', banded('budget', 'flag'), { gross: 600 }, 'satisfied'],
    ['understated', banded('budget', 'auto_accept'), { gross: 599.99 }, 'not_evaluable'],
    ['not evaluable: the plan omits the metric', banded('budget', 'auto_accept'), {}, 'not_evaluable'],
    [
      'not evaluable: the request omits the target',
      banded('budget', 'auto_accept', { budget_gross: undefined } as never),
      { gross: 1 },
      'not_evaluable',
    ],
  ])('that is %s leaves the order with the buyer, and says so', (_, order, plan_totals, acceptance_band) => {
    planned({ plan_totals }, order).gives({ status: 'needs_confirmation', acceptance_band })
  })

  it('is held against what the lines come to before any rounding', () => {
    // Three lines of 0.335, each of which is 0.34 once it is rounded.
    const rate = { ...RATE, guaranteed_impressions: 500 }
    const line_items = [1, 2, 3].map(() => quoted({ units: 1, rate }, { unit_cost: undefined, cpm: 0.67 }))
    const stating = (gross: number, budget_gross: number) =>
      planned({ line_items, plan_totals: { gross } }, banded('budget', 'flag', { budget_gross, acceptance_band: EXACT })).result().outcome
    expect(stating(1.005, 1.005)).toMatchObject({ acceptance_band: 'satisfied', computed_gross: 1.02 })
    expect(stating(1.004, 1.005)).toMatchObject({ acceptance_band: 'not_evaluable', acceptance_band_reason: 'totals_understated' })
  })

  it('of delivery looks at the projected delivery alone', () => {
    const goal = { currency_goal: { unit: 'A25-54', target: 100 } }
    const order = banded('delivery', 'flag', { request_type: 'audience_plan', audience: goal } as never)
    const plan_totals = { gross: 1, projected_delivery: { 'A25-54': 98 } }
    expect(planned({ plan_totals }, order).result().outcome).toMatchObject({ acceptance_band: 'satisfied', computed_gross: 600 })
  })

  it('is evaluated for each plan', () => {
    const first = planned({ plan_totals: { gross: 5_000 } }, banded('budget', 'auto_accept')).result().after
    planned({ plan_totals: { gross: 900 } }, first, 'b').gives({ acceptance_band: 'satisfied' }, { status: 'seller_review' })
  })
})

describe('a goal of impressions', () => {
  it('takes the fewest units that reach it, and is repeated verbatim', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 8 }), fc.integer({ min: 1, max: 10 ** 6 }), (impressions_goal, each) => {
        const rate = { ...RATE, buy_type: 'audience_guaranteed', audience_code: 'HH', guaranteed_impressions: each }
        const { after } = planned({
          line_items: [quoted({ units: undefined, impressions_goal, rate }, { cpm: 10, unit_cost: undefined })],
        }).result()
        const line = currentPlan(after)?.line_items[0]
        expect(line?.num_requested).toBe(impressions_goal)
        const units = BigInt(line?.units ?? 0)
        expect(units * BigInt(each) >= BigInt(impressions_goal) && (units - 1n) * BigInt(each) < BigInt(impressions_goal)).toBe(true)
      }),
    )
  })
})

describe('an order that waits for no plan', () => {
  it.each(['submitted', 'seller_review', 'canceled'] as const)('is %s: INVALID_STATE', (status) => {
    const order = { ...aProposal(), status }
    planned({}, order).refused('INVALID_STATE', { status, last_seq: order.last_seq })
  })

  it('is not a proposal, in any parked state', () => {
    const proposal = aProposal()
    const order = { ...proposal, facts: { ...proposal.facts, workflow: 'document' as const } }
    planned({}, order).refused('INVALID_STATE', { status: 'validating', last_seq: order.last_seq })
  })
})

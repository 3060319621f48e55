import { describe, expect, it } from '@jest/globals'
import type { CreateOrder } from '../../../src/contract/createOrder.ts'
import type { LineItem } from '../../../src/contract/lineItem.ts'
import type { Intake } from '../../../src/domain/order/checkOrder.ts'
import { create, workflowOf } from '../../../src/domain/order/create.ts'
import {
  aBirth,
  aLine,
  anAgreement,
  anIntake,
  aProduct,
  aProfile,
  aRequest,
  type Changes,
  CREATED_AT,
  priceOf,
} from '../../support/orders/anOrder.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const submitted = (request: CreateOrder, intake: Partial<Intake> = {}) =>
  create(request, anIntake(request, intake), aBirth(request.line_items?.length ?? 0))
const withLines = (...line_items: LineItem[]) => aRequest({ line_items })
const refused = (request: CreateOrder, intake: Partial<Intake> = {}) => refusalOf(() => submitted(request, intake))
const fieldsOf = (request: CreateOrder, intake: Partial<Intake> = {}) => refused(request, intake).faults.map(({ field }) => field)
const day = (start: string, product_id = 'prime') => aLine({ product_id, period: { grain: 'day', start } })

describe('a create', () => {
  it('is submitted with what the platform fixes about it', () => {
    const { facts, event, warnings } = submitted(aRequest())
    expect(event).toEqual({ status: 'submitted' })
    expect(warnings).toEqual([])
    expect(facts).toEqual({
      order_id: 'ord_1',
      seller_name: 'Seller One',
      buyer_entity: 'buyer_one',
      workflow: 'catalog',
      created_at: CREATED_AT,
      taxonomy_version: 'tax-1',
      settlement_mode: 'direct',
      cancellation_terms: null,
      version: 1,
      currency: 'USD',
      decision_latency_minutes: 1440,
      lines: [
        {
          unit_id: 'unit_1',
          provider: 'Seller One',
          network: 'CBL',
          product_title: 'Prime',
          booked_dates: ['2026-12-07', '2026-12-09', '2026-12-11'],
          availability: null,
          posting_policy: { policy: null, source: 'unstated' },
          timezone: 'America/New_York',
        },
      ],
    })
  })

  it('has the workflow of the one input that it carries', () => {
    expect(workflowOf(aRequest())).toBe('catalog')
    expect(workflowOf(aRequest({ line_items: undefined, request: { request_type: 'specs' } }))).toBe('proposal')
    expect(workflowOf(aRequest({ line_items: undefined, document: { upload_id: 'upl_1', format: 'pdf' } }))).toBe('document')
  })

  it('freezes the published availability and posting policy of each line', () => {
    const availability = { state: 'projected', basis: 'measured', sellout_level: 0.4 } as const
    const avails = [{ product_id: 'prime', grain: 'week' as const, start: '2026-W50', ...availability }]
    const { facts } = submitted(aRequest(), { avails, products: [aProduct({ posting_policy: 'C3' })] })
    expect(facts.lines[0]).toMatchObject({ availability, posting_policy: { policy: 'C3', source: 'product' } })
  })

  it('shows the worst availability of the weeks of a month, and no sellout level', () => {
    const month = aLine({ period: { grain: 'month', start: '2026-12' } })
    const week = (start: string, state: 'available' | 'projected') => ({
      product_id: 'prime',
      grain: 'week' as const,
      start,
      state,
      sellout_level: 0.1,
    })
    const { facts } = submitted(withLines(month), { avails: [week('2026-W50', 'available'), week('2026-W51', 'projected')] })
    expect(facts.lines[0]?.availability).toEqual({ state: 'projected', basis: 'modelled', sellout_level: null })
  })
})

describe('a create cites', () => {
  it('a price while its window is open, from the moment that it opens', () => {
    const cited = [priceOf(aLine(), { window_opens: CREATED_AT, window_closes: '2026-11-02T09:00:01Z' })]
    expect(() => submitted(aRequest(), { cited })).not.toThrow()
  })

  it('its own quote of a product that is priced by quote, and a price that an agreement discloses', () => {
    const products = [aProduct({ disclosure: { pricing_policy: 'quote' } })]
    expect(() => submitted(aRequest(), { products, cited: [priceOf(aLine(), { visible_to: 'buyer_one' })] })).not.toThrow()
    const agreements = [anAgreement({ disclosure_overrides: [{ product_id: 'prime', pricing_policy: 'published' }] })]
    expect(() => submitted(aRequest(), { products, agreements })).not.toThrow()
  })
})

describe('a create is refused', () => {
  const seller = anIntake(aRequest()).seller as NonNullable<Intake['seller']>

  it.each<[string, Changes<CreateOrder>, Partial<Intake>, string]>([
    ['an unknown seller', {}, { seller: undefined }, 'seller'],
    ['a rate_version that the seller never committed', {}, { rate_version_known: false }, 'rate_version'],
    ['a workflow that the seller does not take', { line_items: undefined, request: { request_type: 'specs' } }, { seller }, 'workflow'],
    ['a contradicting settlement_mode', { settlement_mode: 'cleared' }, {}, 'settlement_mode'],
    ['an unregistered notify_url', { notify_url: 'https://buyer.example.com/hook' }, {}, 'notify_url'],
    ['an agreement with another seller', { agreement_id: 'agr_other' }, {}, 'agreement_id'],
  ])('for %s', (_, more, intake, field) => {
    expect(refused(aRequest(more), intake)).toMatchObject({ code: 'INVALID_INPUT', details: { field } })
  })

  it('naming the agreement that does not resolve', () => {
    expect(refused(aRequest({ agreement_id: 'agr_other' })).details).toMatchObject({ agreement_id: 'agr_other' })
  })

  it('from a suspended buyer, and from one that is not on the allowlist', () => {
    expect(refused(aRequest(), { standing: { status: 'suspended', allowlisted: true } }).code).toBe('FORBIDDEN')
    const closed = { seller: { ...seller, profile: aProfile({ access: 'allowlist' }) } }
    expect(refused(aRequest(), { ...closed, standing: { status: 'active', allowlisted: false } }).code).toBe('FORBIDDEN')
    expect(() => submitted(aRequest(), { ...closed, standing: { status: 'active', allowlisted: true } })).not.toThrow()
  })

  it.each<[string, LineItem, Partial<Intake>, string, string]>([
    ['an unknown product', aLine(), { products: [] }, 'INVALID_INPUT', 'product_id'],
    [
      'a product that the buyer cannot see',
      aLine(),
      { products: [aProduct({ visibility: 'by_agreement' })] },
      'INVALID_INPUT',
      'product_id',
    ],
    ['a grain that is not sold', day('2026-12-09'), { products: [aProduct({ grains: ['week'] })] }, 'GRAIN_NOT_OFFERED', 'period.grain'],
    ['a week that does not exist', aLine({ period: { grain: 'week', start: '2025-W53' } }), {}, 'INVALID_INPUT', 'period.start'],
    [
      'dates on which it is not sold',
      aLine(),
      { products: [aProduct({ effective: { start: '2026-12-08', end: '2027-01-01' } })] },
      'INVALID_INPUT',
      'period',
    ],
    [
      'a period in which it does not air',
      aLine({ period: { grain: 'week', start: '2026-W51' } }),
      { products: [aProduct({ type: 'program' })] },
      'INVALID_INPUT',
      'period',
    ],
    ['a price that is not published', aLine(), { cited: [] }, 'INVALID_INPUT', 'rate.locked_rate_id'],
    [
      'a published price of a product that is priced by quote to this buyer',
      aLine(),
      { products: [aProduct({ disclosure: { pricing_policy: 'quote' } })] },
      'INVALID_INPUT',
      'rate.locked_rate_id',
    ],
    [
      'a price whose window has closed',
      aLine(),
      { cited: [priceOf(aLine(), { window_opens: '2026-10-01T00:00:00Z', window_closes: CREATED_AT })] },
      'INVALID_INPUT',
      'rate.locked_rate_id',
    ],
    [
      'a price whose window has yet to open',
      aLine(),
      { cited: [priceOf(aLine(), { window_opens: '2026-11-02T09:00:01Z', window_closes: '2026-12-01T00:00:00Z' })] },
      'INVALID_INPUT',
      'rate.locked_rate_id',
    ],
    ['another cost', aLine(), { cited: [priceOf(aLine(), { gross_rate_unit: '100.01' })] }, 'INVALID_INPUT', 'rate.unit_cost'],
    ['a buy type that is not sold', aLine(), { products: [aProduct({ buy_types: ['fixed_position'] })] }, 'INVALID_INPUT', 'rate.buy_type'],
    ['a mirror that it does not have', aLine({ include_mirror: true }), {}, 'INVALID_INPUT', 'include_mirror'],
    ['a cpm without any impressions', aLine({ rate: { cpm: 20, audience_code: 'A25-54' } }), {}, 'INVALID_INPUT', 'rate.cpm'],
    ['an unknown creative', aLine({ creative_id: 'crv_none' }), {}, 'UNKNOWN_CREATIVE', 'creative_id'],
  ])('for a line with %s', (_, line, intake, code, member) => {
    expect(refused(withLines(line), intake)).toMatchObject({ code, details: { field: `line_items.0.${member}` } })
  })

  it('for a date outside the flight, naming line and date', () => {
    const request = aRequest({ line_items: [aLine(), day('2026-12-20')], flight: { start: '2026-12-07', end: '2026-12-13' } })
    expect(refused(request)).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'flight', line: 1, date: '2026-12-20' } })
  })

  it('for a second currency, on every line that brings it', () => {
    const euro = aLine({ product_id: 'news', rate: { currency: 'EUR' } })
    expect(fieldsOf(withLines(aLine(), euro, aLine({ product_id: 'late' }), euro))).toEqual([
      'line_items.1.rate.currency',
      'line_items.3.rate.currency',
    ])
  })

  it('with every fault at once, in body order', () => {
    const euro = aLine({ product_id: 'news', spot_length: 15, rate: { currency: 'EUR' } })
    const request = aRequest({
      line_items: [aLine({ product_id: 'gone' }), euro, aLine({ creative_id: 'crv_none', rate: { unit_cost: 1 } })],
      flight: { start: '2026-12-08', end: '2026-12-31' },
      notify_url: 'https://buyer.example.com/hook',
      agreement_id: 'agr_other',
    })
    const products = ['prime', 'news'].map((product_id) => aProduct({ product_id }))
    const cited = [priceOf(aLine()), priceOf(aLine({ product_id: 'news', rate: { currency: 'EUR' } }))]
    expect(fieldsOf(request, { products, cited, rate_version_known: false })).toEqual([
      'rate_version',
      'line_items.0.product_id',
      'flight',
      'flight',
      'line_items.1.spot_length',
      'line_items.1.rate.currency',
      'flight',
      'line_items.2.rate.unit_cost',
      'line_items.2.creative_id',
      'notify_url',
      'agreement_id',
    ])
    expect(refused(request, { products, cited }).details).toEqual({ field: 'line_items.0.product_id' })
  })
})

describe('an agreement', () => {
  const agreements = [
    anAgreement({
      cancellation_terms: { notice_days: 14 },
      settlement_mode: 'cleared',
      posting_policy_overrides: [{ product_id: '*', posting_policy: 'C7' }],
    }),
  ]
  const presented = (more: Changes<CreateOrder> = {}) => aRequest({ agreement_id: 'agr_one', ...more })

  it('attaches its terms by value when presented', () => {
    const { facts } = submitted(presented(), { agreements })
    expect(facts).toMatchObject({ cancellation_terms: { notice_days: 14 }, settlement_mode: 'cleared' })
    expect(facts.lines[0]?.posting_policy).toEqual({ policy: 'C7', source: 'agreement_all' })
  })

  it('attaches nothing when not presented', () => {
    const { facts } = submitted(aRequest(), { agreements })
    expect(facts).toMatchObject({ cancellation_terms: null, settlement_mode: 'direct' })
    expect(facts.lines[0]?.posting_policy).toEqual({ policy: null, source: 'unstated' })
  })

  it.each([
    [presented({ settlement_mode: 'cleared' }), []],
    [presented({ settlement_mode: 'direct' }), ['settlement_mode']],
    [aRequest({ settlement_mode: 'direct' }), []],
  ])('sets the mode: an order may repeat it, and may not contradict it (%#)', (request, fields) => {
    const attempt = () => submitted(request, { agreements })
    if (fields.length === 0) expect(attempt).not.toThrow()
    else expect(refusalOf(attempt).faults.map(({ field }) => field)).toEqual(fields)
  })

  it('restricts grains and buy types whether presented or not', () => {
    const restricting = [anAgreement({ permitted_grains: ['day'], permitted_buy_types: ['fixed_position'] })]
    expect(refused(aRequest(), { agreements: restricting })).toMatchObject({
      code: 'GRAIN_NOT_OFFERED',
      details: { permitted_grains: ['day'] },
    })
    expect(refused(withLines(day('2026-12-09')), { agreements: restricting })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'line_items.0.rate.buy_type', permitted_buy_types: ['fixed_position'] },
    })
  })
})

describe('totals.impressions', () => {
  const guaranteed = (units: number, rate: Partial<LineItem['rate']>) =>
    aLine({ units, rate: { buy_type: 'audience_guaranteed', audience_code: 'A25-54', cpm: 20, ...rate } })
  const impressions = (...lines: LineItem[]) => submitted(withLines(...lines)).facts.impressions

  it('sum the guaranteed figures times units, per audience, frozen at create', () => {
    const other = guaranteed(3, { guaranteed_impressions: 7, audience_code: 'W18+', locked_rate_id: 'lr_women' })
    const lines = [
      guaranteed(6, { guaranteed_impressions: 40_000 }),
      guaranteed(2, { guaranteed_impressions: 1, locked_rate_id: 'lr_small' }),
      other,
    ]
    expect(impressions(...lines, aLine({ product_id: 'news' }))).toEqual({ 'A25-54': 240_002, 'W18+': 21 })
  })

  it('count what the cited price guarantees when the line does not repeat it', () => {
    const line = guaranteed(6, {})
    const cited = [priceOf(line, { guaranteed_impressions: 40_000 })]
    expect(submitted(withLines(line), { cited }).facts).toMatchObject({
      impressions: { 'A25-54': 240_000 },
      lines: [{ impressions_per_unit: 40_000 }],
    })
  })

  it('are absent without a guaranteed line, and leave out what is priced by published impressions', () => {
    expect(impressions(aLine())).toBeUndefined()
    expect(impressions(guaranteed(6, { buy_type: 'preemptible', guaranteed_impressions: 40_000 }))).toBeUndefined()
    const line = guaranteed(6, {})
    const published = { source: 'panel', stream: 'live', 'A25-54': { per_spot: 25_000 } } as never
    const avails = [{ product_id: 'prime', grain: 'week' as const, start: '2026-W50', state: 'available' as const, impressions: published }]
    const { facts } = submitted(withLines(line), { avails })
    expect(facts.impressions).toBeUndefined()
    expect(facts.lines[0]?.impressions_per_unit).toBe(25_000)
  })
})

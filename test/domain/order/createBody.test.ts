import { describe, expect, it } from '@jest/globals'
import { CreateOrder } from '../../../src/contract/createOrder.ts'
import { faultsOf } from '../../../src/contract/errorEnvelope.ts'
import { type Refusal, refusalOf as refusalFrom } from '../../../src/domain/refusal.ts'
import { aLine, aRequest } from '../../support/orders/anOrder.ts'

/** What the shape of a create body is refused with, as the API words it. */
function refusal(body: unknown) {
  const { error } = CreateOrder.safeParse(body)
  const [first, ...rest] = error === undefined ? [] : faultsOf(CreateOrder, error.issues, body)
  return first === undefined ? undefined : refusalFrom([first, ...rest])
}
const line = (more: Record<string, unknown>, rate: Record<string, unknown> = {}) => {
  const valid = aLine()
  return aRequest({ line_items: [{ ...valid, ...more, rate: { ...valid.rate, ...rate } } as never] })
}
const metadata = (more: Record<string, unknown>) => ({ ...aRequest(), buyer_metadata: { advertiser_id: 'adv-1', ...more } })

describe('an empty text', () => {
  const missing = (body: unknown) => refusal(body)?.details.missing
  it('counts as missing where the member is required', () => {
    expect(missing({ ...aRequest(), seller: '', rate_version: '' })).toEqual(['seller', 'rate_version'])
    expect(missing(line({ product_id: '' }))).toEqual(['line_items.0.product_id'])
  })
  it('is a fault of its value where the member is optional', () => {
    for (const body of [{ ...aRequest(), agreement_id: '' }, line({ creative_id: '' }), line({}, { clearance_tier: '' })]) {
      const { code, message, details } = refusal(body) as Refusal
      expect([code, details.missing]).toEqual(['INVALID_INPUT', undefined])
      expect(message).not.toContain('required')
    }
  })
  it('of both kinds names the required one', () => {
    expect(missing({ ...aRequest(), agreement_id: '', buyer_metadata: { advertiser_id: '' } })).toEqual(['buyer_metadata.advertiser_id'])
  })
})

describe('buyer_metadata', () => {
  it.each([{}, { advertiser_id: '' }])('is missing its advertiser_id in %j', (buyer_metadata) => {
    expect(refusal({ ...aRequest(), buyer_metadata })).toMatchObject({
      code: 'INVALID_INPUT',
      details: { missing: ['buyer_metadata.advertiser_id'] },
    })
  })
  it.each(['advertiser_class', 'advertiser_category', 'anything'])('knows no %s', (key) => {
    expect(refusal(metadata({ [key]: 'x' }))?.details).toMatchObject({ field: `buyer_metadata.${key}` })
  })
  it('keeps unknown members of buyer_contact, and checks no format', () => {
    const sent = metadata({ buyer_contact: { email: 'not an address', fax: 7 }, campaign_id: 'c', estimate_id: 'e' })
    expect(CreateOrder.parse(sent).buyer_metadata).toEqual(sent.buyer_metadata)
  })
})

describe('a create body', () => {
  it('is accepted unchanged when it is valid', () => expect(refusal(aRequest())).toBeUndefined())
  it('keeps the offset of issued_at', () => {
    expect(CreateOrder.parse(aRequest({ issued_at: '2026-11-01T10:00:00+02:00' })).issued_at).toBe('2026-11-01T10:00:00+02:00')
  })
  it('drops what the platform owns', () => {
    const { workflow, ...rest } = CreateOrder.parse({ ...aRequest(), workflow: 'proposal', status: 'placed', order_id: 'x' }) as Record<
      string,
      unknown
    >
    expect([workflow, rest.status, rest.order_id]).toEqual([undefined, undefined, undefined])
    expect(CreateOrder.parse(aRequest({ revision: { supersedes: 'ord_1', version: 9 } as never })).revision).toEqual({
      supersedes: 'ord_1',
    })
  })

  it.each<[string, unknown, string]>([
    ['no input', { ...aRequest(), line_items: undefined }, 'line_items'],
    ['two inputs', { ...aRequest(), request: { request_type: 'specs' } }, 'request'],
    ['no lines', aRequest({ line_items: [] }), 'line_items'],
    ['too many lines', aRequest({ line_items: Array.from({ length: 501 }, () => aLine()) }), 'line_items'],
    [
      'attachments beside a proposal',
      { ...aRequest(), line_items: undefined, request: { request_type: 'specs' }, attachments: [] },
      'attachments',
    ],
    ['a flight that ends before it starts', aRequest({ flight: { start: '2026-12-08', end: '2026-12-07' } }), 'flight.end'],
    ['a scope other than campaign', aRequest({ buyer_requests: { scope: 'pod' as never } }), 'buyer_requests.scope'],
    ['packages', { ...aRequest(), packages: [] }, 'packages'],
    ['a goal on a catalog line', line({ impressions_goal: 5 }), 'line_items.0.impressions_goal'],
    ['half a unit', line({ units: 0.5 }), 'line_items.0.units'],
    ['no unit', line({ units: 0 }), 'line_items.0.units'],
    ['a month in the format of a week', line({ period: { grain: 'month', start: '2026-W50' } }), 'line_items.0.period.start'],
    ['another grain', line({ period: { grain: 'quarter', start: '2026-Q1' } }), 'line_items.0.period.grain'],
    ['both costs', line({}, { cpm: 5 }), 'line_items.0.rate.unit_cost'],
    ['neither cost', line({}, { unit_cost: undefined }), 'line_items.0.rate.unit_cost'],
    ['a price per second', line({}, { rate_basis: 'per_second' }), 'line_items.0.rate.rate_basis'],
    ['no price cited', line({}, { locked_rate_id: undefined }), 'line_items.0.rate.locked_rate_id'],
    ['a former market class', line({}, { market_class: 'remnant' }), 'line_items.0.rate.market_class'],
    ['a guarantee without an audience', line({}, { buy_type: 'audience_guaranteed' }), 'line_items.0.rate.audience_code'],
  ])('is refused with %s', (_, body, field) => expect(refusal(body)).toMatchObject({ code: 'INVALID_INPUT', details: { field } }))

  it('is refused for a rule across members even where a member is wrong', () => {
    const faults = refusal({ ...aRequest(), seller: '', line_items: undefined })?.faults.map(({ field }) => field)
    expect(faults).toEqual(expect.arrayContaining(['seller', 'line_items']))
    const rate = refusal(line({}, { unit_cost: undefined, currency: 'dollars' }))?.faults.map(({ field }) => field)
    expect(rate).toEqual(expect.arrayContaining(['line_items.0.rate.currency', 'line_items.0.rate.unit_cost']))
  })

  it('is refused with every missing member named', () => {
    expect(refusal({ line_items: [aLine()] })?.details.missing).toEqual(['seller', 'external_order_id', 'rate_version', 'buyer_metadata'])
  })
})

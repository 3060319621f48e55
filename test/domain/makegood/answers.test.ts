import { describe, expect, it } from '@jest/globals'
import type { AnswerMakegood, MakegoodGuidelines } from '../../../src/contract/makegood.ts'
import { answerMakegood } from '../../../src/domain/makegood/buyer.ts'
import type { MakegoodState } from '../../../src/domain/makegood/makegoodState.ts'
import { noticeMakegood, offerMakegood } from '../../../src/domain/makegood/seller.ts'
import { dueAt, tendMakegood } from '../../../src/domain/makegood/tend.ts'
import {
  accepted,
  anOffer,
  aPlaced,
  FRIDAY,
  facts,
  MONDAY,
  missing,
  noticed,
  offered,
  UNIT,
  WEDNESDAY,
} from '../../support/makegoods/someMakegoods.ts'
import { aLine, anAgreement } from '../../support/orders/anOrder.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const answer = (makegood: MakegoodState, action: AnswerMakegood['action'], more: Partial<AnswerMakegood> = {}, given = facts()) =>
  answerMakegood(makegood, { action, version: makegood.version, ...more, actor: 'Bo' }, given).makegood

describe('an answer', () => {
  it('accepts one of the offers, at the price of what it replaces', () => {
    const makegood = offered({ offers: [anOffer(), anOffer({ offer_id: 'b', product_id: 'late', date: WEDNESDAY })] })
    expect(refusalOf(() => answer(makegood, 'accept'))).toMatchObject({ details: { field: 'offer_id' } })
    expect(refusalOf(() => answer(makegood, 'accept', { offer_id: 'c' }))).toMatchObject({ details: { field: 'offer_id' } })
    const { status, agreed } = answer(makegood, 'accept', { offer_id: 'b' })
    expect([status, agreed]).toMatchObject(['accepted', { product_id: 'late', gross: 100, billing: 'aired', replaces: [{ gross: 100 }] }])
  })

  it('is the first one only, and before the deadline', () => {
    expect(refusalOf(() => answer(accepted(), 'decline'))).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'accepted', version: 1 },
    })
    const makegood = offered({ expires_at: '2026-12-02T00:00:00.000Z' })
    const late = facts({ now: '2026-12-02T00:00:00.000Z' })
    expect(refusalOf(() => answer(makegood, 'accept', {}, late))).toMatchObject({ details: { status: 'expired', version: 1 } })
  })

  it('is to an offer: a notice alone can be credited', () => {
    for (const action of ['accept', 'decline'] as const) {
      expect(refusalOf(() => answer(noticed(), action))).toMatchObject({ code: 'INVALID_STATE', details: { status: 'noticed' } })
    }
    expect(answer(noticed(), 'credit')).toMatchObject({
      status: 'credited',
      credits: [{ unit_id: UNIT, date: MONDAY, units: 1, gross: 100, broadcast_month: '2026-12' }],
    })
  })

  it('needs spots that have not aired and an order that is placed', () => {
    const aired = facts({ reconciled: [{ unit_id: UNIT, date: MONDAY, aired: 2, credited: 0 }] })
    expect(refusalOf(() => answer(offered(), 'accept', {}, aired)).code).toBe('INVALID_STATE')
    expect(refusalOf(() => answer(offered(), 'credit', {}, aired)).code).toBe('INVALID_STATE')
    expect(refusalOf(() => answer(offered(), 'accept', {}, facts({ order: aPlaced({ status: 'canceled' }) }))).code).toBe('INVALID_STATE')
  })

  it('credits at most what variances have left of the date', () => {
    const given = facts({ reconciled: [{ unit_id: UNIT, date: MONDAY, aired: 0, credited: '150' }] })
    expect(answer(noticed(), 'credit', {}, given).credits).toMatchObject([{ units: 1, gross: 50 }])
  })

  it('values units so that the parts of a date add up to it, to the cent', () => {
    // Three units at 0.335 are 0.34, 0.67 and 1.01 together.
    const order = aPlaced({ lines: [aLine({ period: { grain: 'day', start: MONDAY }, units: 3, rate: { unit_cost: 0.335 } })] })
    const others: MakegoodState[] = []
    for (let unit = 0; unit < 3; unit += 1)
      others.push(answer(noticed({}, facts({ order, others })), 'credit', {}, facts({ order, others })))
    expect(others.map(({ credits }) => credits[0]?.gross)).toEqual([0.34, 0.33, 0.34])
  })
})

describe('guidelines', () => {
  const guidelines = (more: Partial<MakegoodGuidelines['auto_accept']> = {}) => ({
    agreement: anAgreement({
      makegood_guidelines: { auto_accept: { same_product: true, within: 'week', ratio: 1, same_length: true, ...more } },
    }),
  })
  const statusOf = (offer: Parameters<typeof anOffer>[0], more: Parameters<typeof guidelines>[0] = {}, ask = {}) =>
    offered({ offers: [anOffer(offer)], ...ask }, facts(guidelines(more))).status

  it('accept an offer as the buyer would, and the first that fits', () => {
    const given = facts(guidelines())
    const offers = [anOffer({ product_id: 'late' }), anOffer({ offer_id: 'fits' })]
    const { makegood, steps } = noticeMakegood({ for: [missing()], offers, actor: 'Sam' }, given)
    expect(makegood).toMatchObject({ status: 'accepted', agreed: { offer_id: 'fits' } })
    expect(steps).toMatchObject([{ action: 'notice' }, { action: 'accept', side: 'platform', actor: 'makegood_guidelines' }])
    const later = offerMakegood(noticed(), { offers, actor: 'Sam', actions: 1 }, given)
    expect([later.makegood.status, later.makegood.version]).toEqual(['accepted', 2])
  })

  it.each([
    ['another product', { product_id: 'late' }, { same_product: false }],
    ['another length', { spot_length: 15 }, { same_length: false }],
    ['fewer units', { units: 1 }, { ratio: 0.5 }, { for: [missing(2)] }],
    ['another week', { date: '2026-12-14' }, undefined],
  ] as [string, object, Parameters<typeof guidelines>[0] | undefined, object?][])(
    'leave %s to a person unless they allow it',
    (_, offer, allowed, ask = {}) => {
      expect(statusOf(offer, {}, ask)).toBe('offered')
      if (allowed !== undefined) expect(statusOf(offer, allowed, ask)).toBe('accepted')
    },
  )

  it('accept another week of the flight only within the flight', () => {
    expect(statusOf({ date: '2026-12-14' }, { within: 'flight' })).toBe('offered') // in the agreement's dates, after the flight
  })

  it('compare audiences where both are known', () => {
    const rate = { cpm: 10, guaranteed_impressions: 10_000, audience_code: 'A25-54', buy_type: 'audience_guaranteed' } as const
    const order = aPlaced({ lines: [aLine({ rate })] })
    const audience = (impressions: number | undefined) =>
      offered({ offers: [anOffer({ impressions })] }, facts({ order, ...guidelines({ audience_floor_pct: 90 }) })).status
    expect([audience(9_000), audience(8_999), audience(undefined)]).toEqual(['accepted', 'offered', 'offered'])
    expect(statusOf({ impressions: 9_000 }, { audience_floor_pct: 90 })).toBe('offered')
  })
})

describe('what time and the end of the order do', () => {
  it('expires an offer at its deadline and not before', () => {
    const makegood = offered({ expires_at: '2026-12-02T00:00:00.000Z' })
    expect(dueAt(makegood, aPlaced())).toBe('2026-12-02T00:00:00.000Z')
    expect(tendMakegood(makegood, facts())).toBeUndefined()
    const change = tendMakegood(makegood, facts({ now: '2026-12-02T00:00:00.000Z' }))
    expect(change).toMatchObject({ makegood: { status: 'expired' }, steps: [{ action: 'expire', side: 'platform', actor: 'deadline' }] })
  })

  it('credits a notice without an offer at the end of the flight', () => {
    const end = '2026-12-12T05:00:00.000Z'
    expect(dueAt(noticed(), aPlaced())).toBe(end)
    expect(tendMakegood(noticed(), facts({ now: '2026-12-12T04:59:59.999Z' }))).toBeUndefined()
    expect(tendMakegood(noticed(), facts({ now: end }))?.makegood).toMatchObject({ status: 'credited', credits: [{ gross: 100 }] })
    const reconciled = [{ unit_id: UNIT, date: MONDAY, aired: 2, credited: 0 }]
    expect(tendMakegood(noticed(), facts({ now: end, reconciled }))?.makegood.status).toBe('recalled')
  })

  it('recalls what is open of an order that ends, and leaves what is answered', () => {
    const ended = facts({ order: aPlaced({ status: 'canceled' }) })
    for (const open of [noticed(), offered()]) {
      expect(tendMakegood(open, ended)).toMatchObject({ makegood: { status: 'recalled' }, steps: [{ actor: 'order_end' }] })
    }
    expect(tendMakegood(accepted(), ended)).toBeUndefined()
    expect([dueAt(accepted(), aPlaced()), FRIDAY]).toEqual([null, FRIDAY])
  })
})

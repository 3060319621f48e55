import { describe, expect, it } from '@jest/globals'
import { ACTIONS_PER_MAKEGOOD } from '../../../src/contract/vocabulary/makegoods.ts'
import { answerMakegood } from '../../../src/domain/makegood/buyer.ts'
import { offerMakegood, recallMakegood } from '../../../src/domain/makegood/seller.ts'
import {
  accepted,
  anOffer,
  FRIDAY,
  facts,
  MONDAY,
  missing,
  NOW,
  noticed,
  offered,
  UNIT,
  WEDNESDAY,
} from '../../support/makegoods/someMakegoods.ts'
import { anAgreement, aProduct } from '../../support/orders/anOrder.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const refused = (offer: Parameters<typeof anOffer>[0], ask: Parameters<typeof offered>[0] = {}, given = facts()) =>
  refusalOf(() => offered({ offers: [anOffer(offer)], ...ask }, given))

describe('where an offer lies', () => {
  it('replaces the whole notice unless it says what, with the network and windows of its product', () => {
    const [offer] = offered({ for: [missing(2), missing(1, WEDNESDAY)] }).offers
    expect(offer).toMatchObject({ offer_id: '1', network: 'CBL', windows: [{ start: '20:00', end: '23:00' }] })
    expect(offer?.replaces).toEqual([
      { unit_id: UNIT, date: MONDAY, units: 2 },
      { unit_id: UNIT, date: WEDNESDAY, units: 1 },
    ])
  })

  it('is of a product that the buyer may see', () => {
    expect(refused({ product_id: 'secret' })).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'offers.0.product_id' } })
  })

  it('is in the flight or within the dates of the agreement', () => {
    expect(refused({ date: '2026-12-12' })).toMatchObject({ details: { field: 'offers.0.date' } })
    const agreement = anAgreement({ effective: { start: '2026-12-01', end: '2026-12-12' } })
    expect(offered({ offers: [anOffer({ date: '2026-12-12' })] }, facts({ agreement })).status).toBe('offered')
  })

  it('has not passed, in the time zone of its product, and airs on the date', () => {
    expect(refused({}, {}, facts({ now: '2026-12-12T05:00:00.000Z' }))).toMatchObject({ details: { field: 'offers.0.date' } })
    expect(offered({}, facts({ now: '2026-12-12T04:59:00.000Z' })).status).toBe('offered')
    const products = [aProduct({ definition: { days: ['Mon'] } })]
    expect(refused({}, {}, facts({ products }))).toMatchObject({ details: { field: 'offers.0.date' } })
  })

  it('is of a priced length', () => {
    expect(refused({ spot_length: 45 })).toMatchObject({ details: { field: 'offers.0.spot_length' } })
  })

  it('replaces only what the notice names', () => {
    const replaces = (units: number, date: string = MONDAY) => ({ replaces: [{ unit_id: UNIT, date, units }] })
    expect(refused(replaces(1, WEDNESDAY))).toMatchObject({ details: { field: 'offers.0.replaces.0.date' } })
    expect(refused(replaces(2))).toMatchObject({ details: { field: 'offers.0.replaces.0.units', maximum: 1 } })
  })

  it('costs no more than what it replaces', () => {
    expect(refused({ units: 2, unit_cost: 50.01 })).toMatchObject({ details: { field: 'offers.0.unit_cost', maximum: 100 } })
    expect(offered({ offers: [anOffer({ units: 2, unit_cost: 50 })] }).status).toBe('offered')
  })

  it('has a name of its own', () => {
    const offers = [anOffer({ offer_id: 'a' }), anOffer({ offer_id: 'a' })]
    expect(refusalOf(() => offered({ offers }))).toMatchObject({ details: { field: 'offers.1.offer_id' } })
  })
})

describe('the deadline of an offer', () => {
  it('is the end of the earliest air date, in the time zone of the product, if none is named', () => {
    expect(offered({ offers: [anOffer(), anOffer({ date: WEDNESDAY })] }).expires_at).toBe('2026-12-10T05:00:00.000Z')
  })

  it('is in the future and not after the air date', () => {
    for (const expires_at of [NOW, '2026-12-12T05:00:00.001Z']) {
      expect(refused({}, { expires_at })).toMatchObject({ details: { field: 'expires_at' } })
    }
    expect(offered({ expires_at: '2026-12-12T05:00:00.000Z' }).expires_at).toBe('2026-12-12T05:00:00.000Z')
  })
})

describe('another offer', () => {
  it('takes the place of the earlier ones and raises the version', () => {
    const { makegood } = offerMakegood(offered(), { offers: [anOffer({ date: WEDNESDAY })], actor: 'Sam', actions: 1 }, facts())
    expect(makegood).toMatchObject({ status: 'offered', version: 2, offers: [{ date: WEDNESDAY }] })
    expect(refusalOf(() => answerMakegood(makegood, { action: 'accept', version: 1, actor: 'Bo' }, facts()))).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'offered', version: 2 },
    })
  })

  it('is refused once it is answered, over, or was made too often', () => {
    const again = (before: ReturnType<typeof offered>, given = facts(), actions = 1) =>
      refusalOf(() => offerMakegood(before, { offers: [anOffer()], actor: 'Sam', actions }, given))
    expect(again(accepted())).toMatchObject({ code: 'INVALID_STATE', details: { status: 'accepted', version: 1 } })
    const late = facts({ now: '2026-12-02T00:00:00.000Z' })
    expect(again(offered({ expires_at: '2026-12-02T00:00:00.000Z' }), late)).toMatchObject({ details: { status: 'expired' } })
    expect(again(offered(), facts(), ACTIONS_PER_MAKEGOOD)).toMatchObject({ details: { maximum: ACTIONS_PER_MAKEGOOD } })
  })
})

describe('a recall', () => {
  it('takes back what is not answered', () => {
    for (const open of [noticed(), offered()]) expect(recallMakegood(open, { actor: 'Sam' }, NOW).makegood.status).toBe('recalled')
    expect(refusalOf(() => recallMakegood(accepted(), { actor: 'Sam' }, NOW))).toMatchObject({
      details: { status: 'accepted', version: 1 },
    })
  })
})

it('offers of several lengths may replace a spot, and one offer several spots', () => {
  const twoForOne = accepted({ offers: [anOffer({ units: 2, spot_length: 15 })] })
  expect(twoForOne.agreed).toMatchObject({ units: 2, gross: 100, replaces: [{ units: 1, gross: 100 }] })
  const oneForTwo = accepted({ for: [missing(1), missing(1, WEDNESDAY)], offers: [anOffer({ spot_length: 60, date: FRIDAY })] })
  expect(oneForTwo.agreed).toMatchObject({ units: 1, gross: 200, replaces: [{ date: MONDAY }, { date: WEDNESDAY }] })
})

import { describe, expect, it } from '@jest/globals'
import type { CreateHold } from '../../../src/contract/hold.ts'
import { checkHold, type HoldIntake } from '../../../src/domain/holds/checkHold.ts'
import { aProduct, aProfile } from '../../support/orders/anOrder.ts'

const WEEK = { grain: 'week', start: '2026-W50' } as const
const line = (more: object = {}) => ({ product_id: 'prime', period: WEEK, units: 5, spot_length: 30, ...more })
const asking = (...lines: object[]) =>
  ({ seller: 'seller_one', lines: lines.length === 0 ? [line()] : lines, ttl_minutes: 15 }) as CreateHold
const price = (more: object = {}) => ({ product_id: 'prime', week: '2026-W50', spot_length: 30, quoted: false, ...more })
const avail = (more: object = {}) => ({ product_id: 'prime', ...WEEK, state: 'available' as const, count: 5, ...more })
const intake = (more: object = {}): HoldIntake => ({
  ...{ seller: { profile: aProfile({ holds: true }) }, standing: { status: 'active', allowlisted: false }, agreements: [] },
  ...{ products: [aProduct()], avails: [avail()], priced: [price()] },
  ...more,
})
const refusal = (ask: CreateHold, more: object = {}) => {
  try {
    checkHold(ask, intake(more))
    return undefined
  } catch (error) {
    const { code, details } = error as { code: string; details: { field?: string; lines?: number[] } }
    return [code, details.field ?? details.lines]
  }
}

describe('a hold', () => {
  it('is granted where the inventory is sold, priced and there', () => expect(refusal(asking())).toBeUndefined())

  it.each([
    ['of an unknown seller', asking(), { seller: undefined }, ['INVALID_INPUT', 'seller']],
    ['of a seller without holds', asking(), { seller: { profile: aProfile() } }, ['INVALID_INPUT', 'seller']],
    ['of an unknown product', asking(line(), line({ product_id: 'none' })), {}, ['INVALID_INPUT', 'lines.1.product_id']],
    [
      'of a week that does not exist',
      asking(line({ period: { grain: 'week', start: '2026-W54' } })),
      {},
      ['INVALID_INPUT', 'lines.0.period.start'],
    ],
    ['of a grain that is not sold', asking(), { products: [aProduct({ grains: ['day'] })] }, ['GRAIN_NOT_OFFERED', 'lines.0.period.grain']],
    [
      'outside the dates of a product',
      asking(),
      { products: [aProduct({ effective: { start: '2026-01-01', end: '2026-01-31' } })] },
      ['INVALID_INPUT', 'lines.0.period'],
    ],
    ['without a price', asking(), { priced: [] }, ['INVALID_INPUT', 'lines.0']],
    ['priced in another length', asking(), { priced: [price({ spot_length: 15 })] }, ['INVALID_INPUT', 'lines.0']],
    ['priced in another week', asking(), { priced: [price({ week: '2026-W51' })] }, ['INVALID_INPUT', 'lines.0']],
    ['priced for another product', asking(), { priced: [price({ product_id: 'late' })] }, ['INVALID_INPUT', 'lines.0']],
    ['of what is unavailable', asking(), { avails: [avail({ state: 'unavailable' })] }, ['INVENTORY_UNAVAILABLE', [0]]],
    ['of more than there is', asking(line({ units: 6 })), {}, ['INVENTORY_UNAVAILABLE', [0]]],
    ['of more than there is, by its lines together', asking(line({ units: 3 }), line({ units: 3 })), {}, ['INVENTORY_UNAVAILABLE', [0, 1]]],
  ])('is refused %s', (_, ask, more, found) => expect(refusal(ask, more)).toEqual(found))

  it('of an unknown seller is told so', () => {
    expect(() => checkHold(asking(), intake({ seller: undefined }))).toThrow('seller_one is not a seller on this marketplace.')
    expect(() => checkHold(asking(), intake({ seller: { profile: aProfile() } }))).toThrow('does not accept holds')
  })

  it('needs a quote of the buyer where a product is sold by quote alone', () => {
    const quoted = aProduct({ disclosure: { pricing_policy: 'quote', avails_policy: 'published' } })
    const products = [aProduct({ product_id: 'open' }), quoted]
    expect(refusal(asking(), { products })).toEqual(['INVALID_INPUT', 'lines.0'])
    expect(refusal(asking(), { products, priced: [price({ quoted: true })] })).toBeUndefined()
  })

  it('needs a price in each week of a month, and is held to no count of the weeks in it', () => {
    const month = asking(line({ period: { grain: 'month', start: '2026-12' }, units: 9 }))
    const weeks = ['2026-W49', '2026-W50', '2026-W51', '2026-W52', '2026-W53'].map((week) => price({ week }))
    expect(refusal(month, { priced: weeks })).toBeUndefined()
    for (const missing of [0, 4]) expect(refusal(month, { priced: weeks.toSpliced(missing, 1) })).toEqual(['INVALID_INPUT', 'lines.0'])
  })

  it('of a day is held to its own count, or to that of its week', () => {
    const day = { grain: 'day', start: '2026-12-09' } as const
    const own = asking(line({ period: day, units: 6 }))
    expect(refusal(own)).toEqual(['INVENTORY_UNAVAILABLE', [0]])
    expect(refusal(own, { avails: [avail(), avail({ ...day, count: 6 })] })).toBeUndefined()
    expect(refusal(own, { avails: [avail({ ...day, count: 5 })] })).toEqual(['INVENTORY_UNAVAILABLE', [0]])
    for (const count of [null, undefined]) expect(refusal(own, { avails: [avail({ count })] })).toBeUndefined()
    const beside = line({ period: { grain: 'day', start: '2026-12-08' }, units: 5 })
    expect(refusal(asking(line({ period: day }), beside, line({ product_id: 'prime', period: WEEK, units: 5 })))).toBeUndefined()
  })
})

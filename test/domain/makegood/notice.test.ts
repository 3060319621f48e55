import { describe, expect, it } from '@jest/globals'
import { noticeMakegood } from '../../../src/domain/makegood/seller.ts'
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
} from '../../support/makegoods/someMakegoods.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const refused = (ask: Parameters<typeof noticed>[0], given = facts()) => refusalOf(() => noticed(ask, given))

describe('what can be noticed', () => {
  it('is what is booked and has not aired, before its date or after it', () => {
    expect(noticed({ for: [missing(2)] })).toMatchObject({ status: 'noticed', version: 1, missed: [{ units: 2 }] })
    expect(noticed({ for: [missing(2)] }, facts({ now: '2027-01-01T00:00:00.000Z' })).status).toBe('noticed')
  })

  it('is no unit of another order: that reads as unknown', () => {
    expect(refused({ for: [missing(1, MONDAY, 'unit_9')] })).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is on a date that the line books', () => {
    expect(refused({ for: [missing(1, '2026-12-08')] })).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'for.0.date' } })
  })

  it('is not on a date that has aired', () => {
    const given = facts({ reconciled: [{ unit_id: UNIT, date: MONDAY, aired: 2, credited: 0 }] })
    expect(refused({ for: [missing()] }, given)).toMatchObject({ details: { field: 'for.0.date' } })
  })

  it('is at most what is neither aired, made good, credited nor waiting', () => {
    const part = facts({ reconciled: [{ unit_id: UNIT, date: MONDAY, aired: 1, credited: 0 }] })
    for (const given of [part, facts({ others: [accepted()] }), facts({ others: [offered()] }), facts({ others: [noticed()] })]) {
      expect(refused({ for: [missing(2)] }, given)).toMatchObject({ details: { field: 'for.0.units', maximum: 1 } })
      expect(noticed({ for: [missing(1)] }, given).status).toBe('noticed')
    }
  })

  it('may be noticed again once an offer has expired', () => {
    const others = [offered({ expires_at: '2026-12-02T00:00:00.000Z' })]
    expect(refused({ for: [missing(2)] }, facts({ others }))).toMatchObject({ details: { maximum: 1 } })
    expect(noticed({ for: [missing(2)] }, facts({ others, now: '2026-12-02T00:00:00.000Z' })).status).toBe('noticed')
  })

  it('is listed once per line and date', () => {
    expect(refused({ for: [missing(), missing()] })).toMatchObject({ details: { field: 'for.1.date' } })
  })

  it('is of a placed order', () => {
    for (const status of ['seller_review', 'canceled', 'rejected'] as const) {
      expect(refused({}, facts({ order: aPlaced({ status }) }))).toMatchObject({ code: 'INVALID_STATE', details: { status } })
    }
  })
})

describe('what was agreed outside', () => {
  it('is accepted at once, also on a date that has passed', () => {
    const given = facts({ now: '2026-12-30T00:00:00.000Z' })
    const { makegood, steps } = noticeMakegood({ for: [missing()], offers: [anOffer()], agreed_outside: true, actor: 'Sam' }, given)
    expect(makegood).toMatchObject({ status: 'accepted', expires_at: null, agreed: { date: FRIDAY, gross: 100 } })
    expect(steps).toEqual([{ action: 'notice', side: 'seller', actor: 'Sam', status: 'accepted', version: 1 }])
  })

  it('is exactly one offer, which does not expire', () => {
    expect(refused({ agreed_outside: true })).toMatchObject({ details: { field: 'offers' } })
    expect(refused({ agreed_outside: true, offers: [anOffer()], expires_at: '2026-12-05T00:00:00.000Z' })).toMatchObject({
      details: { field: 'expires_at' },
    })
  })
})

import { describe, expect, it } from '@jest/globals'
import { checkLeadTime } from '../../../src/domain/lines/leadTime.ts'
import { create } from '../../../src/domain/order/create.ts'
import { aBirth, aLine, anIntake, aProfile, aRequest, CREATED_AT } from '../../support/orders/anOrder.ts'
import { refusalOf } from '../../support/refusalOf.ts'

const lead = (min_lead_minutes: number) => ({ min_lead_minutes, now: '2026-12-06T12:00:00.000Z' })

const on = (date: string, timezone?: string) => ({ date, timezone })

describe('the lead time of a seller', () => {
  it('is measured to the beginning of the first air date, the edge included', () => {
    expect(checkLeadTime({}, on('2026-12-07'), lead(720), 'period')).toEqual([])
    expect(checkLeadTime({}, on('2026-12-07'), lead(721), 'period')).toMatchObject([
      { field: 'period', details: { min_lead_minutes: 721 } },
    ])
  })

  it('is measured to the beginning of that date in the time zone of the product', () => {
    const faults = (zone: string, minutes: number) => checkLeadTime({}, on('2026-12-07', zone), lead(minutes), 'period').length
    // The date begins at 08:00 UTC in Los Angeles, and at 15:00 UTC of the day before in Tokyo.
    expect([faults('America/Los_Angeles', 1_200), faults('America/Los_Angeles', 1_201)]).toEqual([0, 1])
    expect([faults('Asia/Tokyo', 180), faults('Asia/Tokyo', 181)]).toEqual([0, 1])
  })

  it('of zero refuses nothing, not even what has begun', () => {
    expect(checkLeadTime({}, on('2026-12-01'), lead(0), 'period')).toEqual([])
  })

  it('does not hold for a line that cites a hold', () => {
    expect(checkLeadTime({ hold_id: 'hold_1' }, on('2026-12-07'), lead(1_440), 'period')).toEqual([])
  })

  it('is checked when an order is created, line by line', () => {
    const near = aLine({ period: { grain: 'day', start: '2026-11-03' } }) // CREATED_AT is nine in the morning of the day before
    const ask = aRequest({ line_items: [aLine(), near] })
    const profile = aProfile({ sla: { min_lead_minutes: 1_440 } })
    const intake = anIntake(ask, { seller: { name: 'Seller One', taxonomy_version: 'tax-1', profile } })
    const { faults } = refusalOf(() => create(ask, intake, aBirth(2, { created_at: CREATED_AT })))
    expect(faults).toMatchObject([{ error_code: 'INVALID_INPUT', field: 'line_items.1.period' }])
  })
})

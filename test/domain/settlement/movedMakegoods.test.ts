import { describe, expect, it } from '@jest/globals'
import type { InvoiceLine } from '../../../src/contract/invoice.ts'
import { jsonNumber, sum } from '../../../src/domain/decimal.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import { dueInvoices } from '../../../src/domain/settlement/dueInvoices.ts'
import { invoiceAmounts } from '../../../src/domain/settlement/invoiceAmounts.ts'
import type { BilledMakegood } from '../../../src/domain/settlement/movedSpots.ts'
import { aLine } from '../../support/orders/anOrder.ts'
import { aClearedOrder } from '../../support/settlement/aClearedOrder.ts'

/** The worked example of docs/sell/makegoods.md: eight units at 4,200.00 in the last week of February 2027, of which one of Friday airs on Monday. */
const EXAMPLE = aClearedOrder({ lines: [aLine({ period: { grain: 'week', start: '2027-W08' }, units: 8, rate: { unit_cost: 4200 } })] })
const [UNIT] = EXAMPLE.lines.map(({ unit_id }) => unit_id)
const LATER = '2027-06-01T00:00:00.000Z'

function aMakegood(more: Partial<BilledMakegood> = {}): BilledMakegood {
  return {
    ...{ makegood_id: 'mkg_1', product_id: 'prime', network: 'CBL', spot_length: 30, date: '2027-03-01', billing: 'aired' },
    replaces: [{ unit_id: UNIT ?? '', date: '2027-02-26', units: 1, gross: 4200 }],
    ...more,
  }
}

const amountsOf = (lines: readonly InvoiceLine[]) => {
  const { gross, commission, net } = invoiceAmounts(sum(lines.map((line) => line.gross)), { commissionPct: 15, currency: 'USD' })
  return [gross, commission, net].map((amount) => amount.toFixed(2))
}
const figures = (order: OrderState, makegoods: readonly BilledMakegood[]) =>
  billedMonths(order, makegoods).map(({ broadcast_month, lines }) => [broadcast_month, ...amountsOf(lines)])

describe('a makegood that crosses a broadcast month', () => {
  it('is billed once, in the month in which it airs', () => {
    expect(figures(EXAMPLE, [aMakegood()])).toEqual([
      ['2027-02', '29400.00', '4410.00', '24990.00'],
      ['2027-03', '4200.00', '630.00', '3570.00'],
    ])
    const [february, march] = billedMonths(EXAMPLE, [aMakegood()])
    expect(february?.lines).toMatchObject([{ units: 7, dates: [{ units: 3 }, { units: 3 }, { date: '2027-02-26', units: 1 }] }])
    expect(march?.lines).toEqual([
      {
        ...{ kind: 'spots', unit_id: UNIT, product_id: 'prime', network: 'CBL', spot_length: 30, units: 1 },
        ...{ dates: [{ date: '2027-03-01', units: 1 }], makegood_id: 'mkg_1', gross: 4200 },
      },
    ])
  })

  it('stays in the booked month if the agreement says so, or if it airs in that month', () => {
    for (const makegood of [aMakegood({ billing: 'booked' }), aMakegood({ date: '2027-02-27' })]) {
      expect(figures(EXAMPLE, [makegood])).toEqual([['2027-02', '33600.00', '5040.00', '28560.00']])
    }
  })

  it('is taken back from a month that was invoiced before, and added to one that was', () => {
    const [february] = billedMonths(EXAMPLE)
    const issued = { broadcast_month: '2027-02', invoices: 1, billed: february?.lines ?? [], taken_back: [], credited: [] }
    const { months } = dueInvoices(EXAMPLE, [issued], LATER, [aMakegood()])
    expect(months).toMatchObject([
      { broadcast_month: '2027-02', credit: [{ unit_id: UNIT, dates: [{ date: '2027-02-26', units: 1 }], units: 1 }] },
      { broadcast_month: '2027-03', invoice: { n: 1, lines: [{ makegood_id: 'mkg_1', gross: 4200 }] } },
    ])
    expect(months[0]?.credit?.map(({ gross }) => jsonNumber(gross))).toEqual([4200])
    const backwards = aMakegood({ date: '2027-01-29' })
    const january = { broadcast_month: '2027-01', invoices: 1, billed: [], taken_back: [], credited: [] }
    expect(dueInvoices(EXAMPLE, [january], LATER, [backwards]).months[0]).toMatchObject({
      broadcast_month: '2027-01',
      invoice: { n: 2, lines: [{ makegood_id: 'mkg_1' }] },
    })
  })

  it('is looked at once: what is taken back or added is not due again', () => {
    const [february, march] = billedMonths(EXAMPLE, [aMakegood()])
    const [whole] = billedMonths(EXAMPLE)
    const back = { kind: 'credit' as const, unit_id: UNIT, units: 1, dates: [{ date: '2027-02-26', units: 1 }], gross: -4200 }
    const issued = [
      { broadcast_month: '2027-02', invoices: 1, billed: whole?.lines ?? [], taken_back: [back], credited: [] },
      { broadcast_month: '2027-03', invoices: 1, billed: march?.lines ?? [], taken_back: [], credited: [] },
    ]
    expect(dueInvoices(EXAMPLE, issued, LATER, [aMakegood()])).toEqual({ months: [], next_at: null })
    expect(february?.lines).toHaveLength(1)
  })

  it('adds up to the order, to the cent, with what is left of a line by cpm', () => {
    const rate = { cpm: 12.35, guaranteed_impressions: 105_500, audience_code: 'A25-54', buy_type: 'audience_guaranteed' } as const
    const order = aClearedOrder({ lines: [aLine({ period: { grain: 'week', start: '2027-W08' }, units: 8, rate })] })
    const moved = aMakegood({ replaces: [{ unit_id: order.lines[0]?.unit_id ?? '', date: '2027-02-26', units: 1, gross: 1302.93 }] })
    const totals = billedMonths(order, [moved]).map(({ gross }) => gross.toFixed(2))
    expect([totals, sum(totals).toFixed(2)]).toEqual([['9120.47', '1302.93'], '10423.40'])
  })
})

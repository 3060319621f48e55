import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addDays, broadcastMonthOf, weekdayOf } from '../../../src/domain/calendar.ts'
import { decimal, jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import { clearsAt } from '../../../src/domain/settlement/clearsAt.ts'
import { dueInvoices, firstClearing, type IssuedMonth } from '../../../src/domain/settlement/dueInvoices.ts'
import { anOrder } from '../../support/orders/anOrder.ts'
import { someLines } from '../../support/orders/orderLives.ts'
import { aClearedOrder, theExample } from '../../support/settlement/aClearedOrder.ts'

describe('a broadcast month', () => {
  it.each([
    ['2027-02', '2027-03-01T14:00:00.000Z'], // ends on February 28, a Sunday
    ['2026-12', '2026-12-28T14:00:00.000Z'],
    ['2027-01', '2027-02-01T14:00:00.000Z'],
    ['2026-10', '2026-10-26T14:00:00.000Z'], // before the clocks change, and after: the hour is of UTC
    ['2026-11', '2026-11-30T14:00:00.000Z'],
    ['2032-02', '2032-03-01T14:00:00.000Z'], // February 29, a Sunday
  ])('%s clears at %s', (month, at) => {
    expect(clearsAt(month)).toBe(at)
  })

  it('clears on the Monday after its last date, whatever the year', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_500 }), (days) => {
        const date = addDays('2020-01-01', days)
        const month = broadcastMonthOf(date)
        const monday = clearsAt(month).slice(0, 10)
        expect(weekdayOf(monday)).toBe('Mon')
        expect(broadcastMonthOf(addDays(monday, -1))).toBe(month)
        expect(broadcastMonthOf(monday) > month).toBe(true)
        expect(date < monday).toBe(true)
      }),
    )
  })
})

const canceledAt = (order: OrderState, at: string) => stampEvents(order, cancel(order, {}, at).events, at).after
/** A month as it was invoiced from an order. */
const issuedOf = (order: OrderState, broadcast_month: string, more: Partial<IssuedMonth> = {}): IssuedMonth => {
  const billed = billedMonths(order).find((month) => month.broadcast_month === broadcast_month)?.lines ?? []
  return { broadcast_month, invoices: 1, billed, taken_back: [], credited: [], ...more }
}

describe('what is due', () => {
  const due = (asOf: string, ...invoiced: string[]) => {
    const order = theExample()
    const issued = invoiced.map((month) => issuedOf(order, month))
    const { months, next_at } = dueInvoices(order, issued, asOf)
    return [months.map(({ broadcast_month }) => broadcast_month), next_at]
  }

  it('is every month that has cleared and has no invoice, with the time of the next', () => {
    expect(due('2027-03-01T13:59:59.999Z')).toEqual([[], '2027-03-01T14:00:00.000Z'])
    expect(due('2027-03-01T14:00:00.000Z')).toEqual([['2027-02'], '2027-03-29T14:00:00.000Z'])
    expect(due('2027-04-20T00:00:00.000Z', '2027-02')).toEqual([['2027-03'], '2027-04-26T14:00:00.000Z'])
    expect(due('2030-01-01T00:00:00.000Z')).toEqual([['2027-02', '2027-03', '2027-04'], null])
    expect(due('2030-01-01T00:00:00.000Z', '2027-02', '2027-03', '2027-04')).toEqual([[], null])
  })

  it('begins when its first month clears', () => {
    expect(firstClearing(theExample())).toBe('2027-03-01T14:00:00.000Z')
    expect(firstClearing(anOrder())).toBeNull()
  })

  it('begins at once when the order was canceled after its placement, since months may be invoiced ahead', () => {
    const at = '2027-02-03T10:00:00.000Z'
    expect(firstClearing(canceledAt(theExample(), at))).toBe(at)
    expect(firstClearing(canceledAt(anOrder(), at))).toBeNull()
  })
})

describe('of months that were invoiced before the order was canceled', () => {
  const terms = { notice_days: 14, late_fee_pct: 7.5 }
  const placed = theExample({ terms })
  const canceled = canceledAt(placed, '2027-02-03T10:00:00.000Z')
  const asOf = '2027-02-03T10:00:01.000Z'
  const ahead = ['2027-02', '2027-03'].map((month) => issuedOf(placed, month))

  it('the late fee is invoiced and the dates that are no longer billed are credited, at once', () => {
    const { months, next_at } = dueInvoices(canceled, ahead, asOf)
    expect(months).toMatchObject([
      {
        broadcast_month: '2027-02',
        invoice: { n: 2, lines: [{ kind: 'late_fee', fee_pct: 7.5, gross: 4083.51 }] },
        credit: [
          {
            unit_id: 'unit_1',
            units: 5,
            dates: [
              { date: '2027-02-03', units: 3 },
              { date: '2027-02-05', units: 2 },
            ],
            unit_cost: 4200,
          },
        ],
      },
      { broadcast_month: '2027-03', credit: [{ unit_id: 'unit_2', units: 13, impressions_per_unit: 105_500 }] },
    ])
    expect(months.map(({ credit }) => credit?.map(({ gross }) => jsonNumber(gross)))).toEqual([[21_000], [16_938.03]])
    expect(next_at).toBeNull()
  })

  it('nothing is issued again', () => {
    const fee = { kind: 'late_fee' as const, fee_pct: 7.5, gross: 4083.51 }
    const back = (unit_id: string, gross: number) => [{ kind: 'credit' as const, unit_id, gross }]
    const [february, march] = ahead as [IssuedMonth, IssuedMonth]
    const issued = [
      { ...february, invoices: 2, billed: [...february.billed, fee], taken_back: back('unit_1', -21_000) },
      { ...march, taken_back: back('unit_2', -16_938.03) },
    ]
    expect(dueInvoices(canceled, issued, asOf)).toEqual({ months: [], next_at: null })
  })

  it('what is issued, less what is credited, is what the order bills, whenever it is canceled', () => {
    fc.assert(
      fc.property(someLines, fc.integer({ min: -40, max: 130 }), fc.nat(6), (lines, day, ahead) => {
        const order = aClearedOrder({ lines, terms: { notice_days: 30, late_fee_pct: 10 } })
        const issued = billedMonths(order)
          .slice(0, ahead)
          .map(({ broadcast_month }) => issuedOf(order, broadcast_month))
        const ended = canceledAt(order, `${addDays('2026-12-01', day)}T13:30:00.000Z`)
        const { months, next_at } = dueInvoices(ended, issued, '2030-01-01T00:00:00.000Z')
        const bills = months.flatMap(({ invoice }) => invoice?.lines ?? [])
        const credits = months.flatMap(({ credit = [] }) => credit)
        const total = sum([...issued.flatMap(({ billed }) => billed), ...bills].map(({ gross }) => gross)).minus(
          sum(credits.map(({ gross }) => gross)),
        )
        expect(total.eq(sum(billedMonths(ended).map(({ gross }) => gross)))).toBe(true)
        expect([next_at, credits.every(({ gross }) => decimal(gross).gt(decimal(0)))]).toEqual([null, true])
      }),
      { numRuns: 200 },
    )
  })
})

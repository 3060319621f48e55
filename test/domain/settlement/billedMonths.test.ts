import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { addDays, broadcastMonthOf, dateOf } from '../../../src/domain/calendar.ts'
import { decimal, sum } from '../../../src/domain/decimal.ts'
import { cancel } from '../../../src/domain/order/cancel.ts'
import { stampEvents } from '../../../src/domain/order/decision.ts'
import { exposureOf } from '../../../src/domain/order/exposure.ts'
import { totals } from '../../../src/domain/order/snapshot.ts'
import type { OrderState } from '../../../src/domain/order/state.ts'
import { supersede } from '../../../src/domain/order/supersede.ts'
import { amountOwed } from '../../../src/domain/settlement/amountOwed.ts'
import { billedMonths } from '../../../src/domain/settlement/billedMonths.ts'
import { clearsAt } from '../../../src/domain/settlement/clearsAt.ts'
import { invoiceAmounts } from '../../../src/domain/settlement/invoiceAmounts.ts'
import { aLine, anOrder, aProduct } from '../../support/orders/anOrder.ts'
import { live, someLife, someLines } from '../../support/orders/orderLives.ts'
import { aClearedOrder, theExample } from '../../support/settlement/aClearedOrder.ts'

const figures = (order: OrderState) => billedMonths(order).map(({ broadcast_month, gross }) => [broadcast_month, gross.toFixed(2)])
const canceledAt = (order: OrderState, at: string) => stampEvents(order, cancel(order, {}, at).events, at).after
const grossOf = (order: OrderState) => sum(billedMonths(order).map(({ gross }) => gross))
/** The same life, if it had begun under a cleared agreement. */
const cleared = (order: OrderState): OrderState => ({
  ...order,
  facts: { ...order.facts, settlement_mode: 'cleared' },
  request: { ...order.request, agreement_id: 'agr_one' },
})

describe('the worked example', () => {
  it('bills what it booked in each broadcast month, to the cent', () => {
    const order = theExample()
    expect(figures(order)).toEqual([
      ['2027-02', '33600.00'],
      ['2027-03', '16938.03'],
      ['2027-04', '3908.77'],
    ])
    expect(grossOf(order).toFixed(2)).toBe('54446.80')
  })

  it.each([
    ['JPY', ['33600', '16938', '3909']],
    ['KWD', ['33600', '16938.025', '3908.775']],
  ])('bills in %s what its minor unit allows, and no more in all', (currency, expected) => {
    const example = theExample()
    const order = { ...example, lines: example.lines.map((line) => ({ ...line, rate: { ...line.rate, currency } })) }
    expect(billedMonths(order).map(({ gross }) => gross.toFixed())).toEqual(expected)
    expect(grossOf(order).eq(decimal(totals(order).gross))).toBe(true)
  })

  it('is the one that docs/buy/invoices.md shows', async () => {
    const text = await readFile(new URL('../../../docs/buy/invoices.md', import.meta.url), 'utf8')
    const table = text.split('\n').filter((row) => /^\| \d{4}-\d\d \|/.test(row))
    const shown = table.map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll(',', '')),
    )
    const expected = billedMonths(theExample()).map(({ broadcast_month, gross }) => {
      const { commission, net } = invoiceAmounts(gross, { commissionPct: 15, currency: 'USD' })
      const clears = `${clearsAt(broadcast_month).slice(0, 16).replace('T', ' ')} UTC`
      return [broadcast_month, clears, expect.any(String), ...[gross, commission, net].map((amount) => amount.toFixed(2))]
    })
    expect(shown).toEqual(expected)
  })

  it('shows units, dates and price of each line', () => {
    const [february, march, april] = billedMonths(theExample())
    expect(february?.lines).toEqual([
      {
        kind: 'spots',
        unit_id: 'unit_1',
        product_id: 'prime',
        product_title: 'Prime',
        network: 'CBL',
        spot_length: 30,
        units: 8,
        dates: [
          { date: '2027-02-01', units: 3 },
          { date: '2027-02-03', units: 3 },
          { date: '2027-02-05', units: 2 },
        ],
        unit_cost: 4200,
        gross: 33_600,
      },
    ])
    expect(march?.lines).toMatchObject([{ unit_id: 'unit_2', units: 13, cpm: 12.35, impressions_per_unit: 105_500, gross: 16_938.03 }])
    expect(april?.lines).toMatchObject([{ unit_id: 'unit_2', units: 3, gross: 3908.77 }])
  })
})

describe('an order that bills nothing', () => {
  it.each(['submitted', 'seller_review', 'canceled', 'rejected', 'failed'] as const)('is one that was never placed: %s', (status) => {
    expect(billedMonths(cleared(anOrder({ status })))).toEqual([])
  })

  it('is one whose agreement is direct, or that has none', () => {
    expect(billedMonths(anOrder({ status: 'placed' }))).toEqual([])
    const order = theExample()
    expect(billedMonths({ ...order, facts: { ...order.facts, settlement_mode: 'direct' } })).toEqual([])
  })
})

describe('an order that was canceled after its placement', () => {
  it('bills the dates before the date of the cancellation in the time zone of the product', () => {
    expect(figures(canceledAt(theExample(), '2027-03-06T04:59:59.999Z'))).toEqual([
      ['2027-02', '33600.00'],
      ['2027-03', '3908.78'],
    ])
    expect(figures(canceledAt(theExample(), '2027-03-06T05:00:00.000Z'))).toEqual([
      ['2027-02', '33600.00'],
      ['2027-03', '5211.70'],
    ])
    expect(figures(canceledAt(theExample(), '2027-02-01T23:00:00.000Z'))).toEqual([])
  })

  it('bills nothing of the evening on which it was canceled in Los Angeles, and each line by its own zone', () => {
    const inZone = (product_id: string, timezone: string) => aProduct({ product_id, definition: { timezone } })
    const lines = [aLine({ product_id: 'west', units: 3 }), aLine({ product_id: 'east', units: 3 })]
    const products = [inZone('west', 'America/Los_Angeles'), inZone('east', 'Asia/Tokyo')]
    // Wednesday, 19:30 in Los Angeles; Thursday, 12:30 in Tokyo.
    const order = canceledAt(aClearedOrder({ lines, intake: { products } }), '2026-12-10T03:30:00.000Z')
    const dates = billedMonths(order).flatMap((month) => month.lines.map((line) => [line.product_id, line.dates?.map(({ date }) => date)]))
    expect(dates).toEqual([
      ['west', ['2026-12-07']],
      ['east', ['2026-12-07', '2026-12-09']],
    ])
  })

  it('bills its late fee in the broadcast month of that date', () => {
    // Sunday evening in New York, the last of the broadcast month; Monday in UTC.
    const order = canceledAt(aClearedOrder({ terms: { notice_days: 14, late_fee_pct: 10 } }), '2026-11-30T01:00:00.000Z')
    expect(billedMonths(order).map(({ broadcast_month }) => broadcast_month)).toEqual(['2026-11'])
  })

  it('goes by UTC if it was created before the zone of its product was kept', () => {
    const example = theExample()
    const order = { ...example, bookings: example.bookings.map(({ timezone: _, ...booking }) => booking) }
    expect(figures(canceledAt(order, '2027-03-05T23:59:59.999Z')).at(-1)).toEqual(['2027-03', '3908.78'])
    expect(figures(canceledAt(order, '2027-03-06T00:00:00.000Z')).at(-1)).toEqual(['2027-03', '5211.70'])
  })

  it('goes by the date of the event when a revision supersedes it, never by issued_at', () => {
    const by = { order_id: 'ord_2', placed_at: '2027-02-04T12:00:00.000Z', issued_at: '2027-01-02T00:00:00Z' }
    const order = theExample()
    const superseded = stampEvents(order, supersede(order, by, true).events, '2027-02-04T12:00:00.000Z').after
    expect(figures(superseded)).toEqual([['2027-02', '25200.00']])
  })

  it('bills its late fee in the broadcast month of the cancellation', () => {
    const terms = { notice_days: 14, late_fee_pct: 7.5 }
    const order = canceledAt(theExample({ terms }), '2027-01-29T10:00:00.000Z')
    expect(billedMonths(order)).toMatchObject([{ broadcast_month: '2027-01', lines: [{ kind: 'late_fee', fee_pct: 7.5, gross: 4083.51 }] }])
    const within = canceledAt(theExample({ terms }), '2027-02-02T10:00:00.000Z')
    expect(billedMonths(within)).toMatchObject([
      {
        broadcast_month: '2027-02',
        lines: [
          { kind: 'spots', units: 3 },
          { kind: 'late_fee', gross: 4083.51 },
        ],
      },
    ])
    expect(figures(within)).toEqual([['2027-02', '16683.51']])
  })
})

it('a week on both sides of a year belongs to the month of its Sunday, week 53 too', () => {
  const order = aClearedOrder({ lines: [aLine({ period: { grain: 'week', start: '2026-W53' }, units: 3 })] })
  expect(billedMonths(order).flatMap(({ lines }) => lines.flatMap(({ dates = [] }) => dates.map(({ date }) => date)))).toEqual([
    '2026-12-28',
    '2026-12-30',
    '2027-01-01',
  ])
  expect(figures(order)).toEqual([['2027-01', '300.00']])
})

describe('for any order', () => {
  it('the months of a placed one add up to each of its lines and to its gross', () => {
    fc.assert(
      fc.property(someLines, (lines) => {
        const order = aClearedOrder({ lines })
        const billed = billedMonths(order)
        expect(grossOf(order).eq(decimal(totals(order).gross))).toBe(true)
        for (const line of order.lines) {
          const parts = billed.flatMap((month) => month.lines.filter(({ unit_id }) => unit_id === line.unit_id))
          expect(parts.reduce((units, part) => units + (part.units ?? 0), 0)).toBe(line.num_accepted)
          expect(parts.flatMap(({ dates = [] }) => dates)).toEqual(line.allocation)
        }
        for (const { broadcast_month, lines: billedLines, gross } of billed) {
          expect(gross.gte(decimal(0))).toBe(true)
          const dates = billedLines.flatMap((line) => line.dates ?? [])
          expect(dates.every(({ date }) => broadcastMonthOf(date) === broadcast_month)).toBe(true)
          expect(sum(billedLines.map((line) => line.gross)).eq(gross)).toBe(true)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('a cancellation changes no month that has ended before it, and bills at most what was placed and the fee', () => {
    const day = fc.integer({ min: -10, max: 130 })
    fc.assert(
      fc.property(someLines, day, (lines, after) => {
        const order = aClearedOrder({ lines, terms: { notice_days: 30, late_fee_pct: 10 } })
        const at = `${addDays('2026-12-01', after)}T13:30:00.000Z`
        const canceled = canceledAt(order, at)
        const month = broadcastMonthOf(dateOf(at))
        const ended = (state: OrderState) => JSON.stringify(billedMonths(state).filter(({ broadcast_month }) => broadcast_month < month))
        expect(ended(canceled)).toBe(ended(order))
        const fee = canceled.cancellation?.notice?.fee_amount ?? 0
        expect(grossOf(canceled).lte(decimal(totals(order).gross).plus(decimal(fee)))).toBe(true)
        expect(amountOwed(canceled).eq(grossOf(canceled))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('what it draws on credit is its exposure until it ends, then what it still bills', () => {
    fc.assert(
      fc.property(someLife, (life) => {
        for (const state of live(life).states) {
          expect(amountOwed(state).toFixed()).toBe('0')
          const order = cleared(state)
          const ended = ['canceled', 'rejected', 'failed'].includes(order.status)
          expect(amountOwed(order).eq(ended ? grossOf(order) : exposureOf(order))).toBe(true)
          expect(order.status !== 'placed' || grossOf(order).eq(amountOwed(order))).toBe(true)
        }
      }),
      { numRuns: 150 },
    )
  })
})

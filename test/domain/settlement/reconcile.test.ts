import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { bookedSpots } from '../../../src/domain/settlement/bookedSpots.ts'
import { type ReconcileInput, reconcile } from '../../../src/domain/settlement/reconcile.ts'
import type { LineFigures } from '../../../src/domain/settlement/reconciliationLines.ts'
import { aPlacedOrder, EXAMPLE_LINES } from '../../support/edi/anEdiOrder.ts'
import { aProduct } from '../../support/orders/anOrder.ts'
import { aBill, anAiring, someSpots } from '../../support/settlement/aSellerRow.ts'
import { EXAMPLE_SPOTS } from '../../support/settlement/exampleSpots.ts'

const run = (more: Partial<ReconcileInput> = {}) =>
  reconcile({ currency: 'USD', booked: [someSpots()], rows: [], loggedDays: [], invoicedMonths: [], ...more })
const codesOf = ({ variances }: Pick<LineFigures, 'variances'>) => variances.map(({ code }) => code)
const codes = (more: Partial<ReconcileInput>) => run(more).lines.flatMap(codesOf)
const cellsOf = (row: string) =>
  row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
const LOGGED = [{ network: 'CBL', broadcast_date: '2026-12-07' }]

describe('the worked example', () => {
  const products = [
    aProduct({ product_id: 'prime', definition: { start: '19:00', end: '22:00' } }),
    aProduct({ product_id: 'late', definition: { start: '23:00', end: '02:00' } }),
  ]
  const { order } = aPlacedOrder({ lines: EXAMPLE_LINES }, products)
  const booked = bookedSpots(order, { products, isci: new Map() })
  const [a = ''] = booked.map(({ unit_id }) => unit_id)
  const rows = EXAMPLE_SPOTS.flatMap(([air_date, air_time, rate = 4200, makegood_for_date]) => {
    const more = { air_date, air_time, unit_id: a, isci: undefined, makegood_for_date }
    return [anAiring(more), aBill({ ...more, rate })]
  })
  const { lines, totals } = reconcile({ currency: 'USD', booked, rows, loggedDays: [], invoicedMonths: ['2027-02'] })
  const figures = lines
    .filter(({ unit_id }) => unit_id === a)
    .map((line) => [
      line.air_date,
      ...[line.ordered, line.aired_in_spec, line.aired_out_of_spec, line.makegood, line.unordered],
      ...[line.billed_gross, line.variance_gross, codesOf(line).join()],
    ])

  it('ties to the cent, by date', () => {
    expect(figures).toEqual([
      ['2027-02-01', 3, 3, 0, 0, 0, 12_900, 300, 'RATE_MISMATCH'],
      ['2027-02-03', 3, 2, 1, 0, 0, 12_600, 0, 'OUT_OF_DAYPART'],
      ['2027-02-05', 2, 1, 0, 1, 0, 8_400, 0, 'MAKEGOOD'],
      ['2027-02-07', 0, 0, 0, 0, 1, 4_200, 4_200, 'RUN_NOT_ORDERED'],
    ])
  })

  it('is the one that docs/sell/reconciliation.md shows', async () => {
    const text = await readFile(new URL('../../../docs/sell/reconciliation.md', import.meta.url), 'utf8')
    const table = text.split('\n').filter((row) => row.startsWith('| 02-'))
    const shown = table.map((row) => {
      const [date = '', ...cells] = cellsOf(row)
      return [`2027-${date.slice(0, 5)}`, ...cells.slice(0, -1).map((cell) => Number(cell.replaceAll(',', ''))), cells.at(-1)]
    })
    expect(shown).toEqual(figures)
  })

  it('ties to the cent in all, with what is still to air', () => {
    expect(totals).toMatchObject({ ordered: 24, open: 16, billed: 9, ordered_gross: 54_446.8, billed_gross: 38_100 })
    const ofA = lines.filter(({ unit_id }) => unit_id === a)
    expect(ofA.reduce((sum, line) => sum + line.ordered_gross, 0)).toBe(33_600)
    expect(ofA.reduce((sum, line) => sum + line.variance_gross, 0)).toBe(4_500)
  })

  it('values each variance', () => {
    const variances = lines.flatMap((line) => line.variances.map(({ code, units, gross }) => [code, units, gross]))
    expect(variances).toEqual([
      ['RATE_MISMATCH', 1, 300],
      ['OUT_OF_DAYPART', 1, 4_200],
      ['MAKEGOOD', 1, 4_200],
      ['RUN_NOT_ORDERED', 1, 4_200],
    ])
  })
})

describe('what became of a spot', () => {
  it('is open while nothing says more', () => {
    expect(run().totals).toMatchObject({ ordered: 2, open: 2, missed: 0, variance_gross: -200 })
  })

  it('is missed without a row once the log of its day is there', () => {
    const { lines, totals } = run({ loggedDays: LOGGED })
    expect(totals).toMatchObject({ open: 0, missed: 2 })
    expect(lines[0]?.variances).toEqual([{ code: 'ORDERED_NOT_RUN', n: 1, units: 2, gross: 200, rows: [] }])
  })

  it('is missed for the reason of the row that says so', () => {
    const row = anAiring({ ran: false, air_time: undefined, reason: 'Preempted: breaking news' })
    const { lines, totals } = run({ rows: [row] })
    expect(totals).toMatchObject({ open: 1, missed: 1 })
    expect(lines[0]?.variances).toEqual([{ code: 'MISSED', n: 1, units: 1, gross: 100, reason: 'Preempted: breaking news', rows: [row] }])
  })

  it('is missed once where the log and the invoice both say so', () => {
    const rows = [anAiring({ ran: false, air_time: undefined, reason: 'sports' }), aBill({ ran: false, air_time: undefined })]
    expect(run({ rows }).totals).toMatchObject({ open: 1, missed: 1 })
    const two = [...rows, aBill({ ran: false, air_time: undefined })]
    expect(run({ rows: two }).totals).toMatchObject({ open: 0, missed: 2 })
  })

  it('is billed and not run where an invoice bills what the log does not have', () => {
    expect(codes({ rows: [aBill()] })).toEqual([])
    expect(codes({ rows: [aBill()], loggedDays: LOGGED })).toEqual(['ORDERED_NOT_RUN', 'BILLED_NOT_RUN'])
  })

  it('is run and not billed once an invoice of the month is there', () => {
    expect(codes({ rows: [anAiring()] })).toEqual([])
    expect(codes({ rows: [anAiring()], invoicedMonths: ['2026-12'] })).toEqual(['RUN_NOT_BILLED'])
    expect(codes({ rows: [anAiring()], invoicedMonths: ['2026-12'], booked: [someSpots({ kind: 'mirror', price: '0' })] })).toEqual([])
  })

  it.each([
    [100.01, ['RATE_MISMATCH']],
    [100.009, []],
    [99.99, ['RATE_MISMATCH']],
    [99.991, []],
  ])('billed at %f of 100.00 has %j', (rate, expected) => {
    expect(codes({ rows: [anAiring(), aBill({ rate })] })).toEqual(expected)
  })

  it.each([
    [{}, []],
    [{ air_time: '19:55:00' }, []],
    [{ air_time: '19:54:59' }, ['OUT_OF_DAYPART']],
    [{ air_time: '23:04:59' }, []],
    [{ air_time: '23:05' }, ['OUT_OF_DAYPART']],
    [{ air_date: '2026-12-08', air_time: '05:59' }, ['OUT_OF_DAYPART']],
    [{ air_date: '2026-12-08', air_time: '06:00' }, ['WRONG_DATE']],
    [{ air_date: '2026-12-13' }, ['WRONG_DATE']],
    [{ air_date: '2026-12-14' }, ['RUN_NOT_ORDERED']],
    [{ air_date: '2026-12-14', air_time: '05:00' }, ['WRONG_DATE']],
    [{ spot_length: 15 }, ['WRONG_LENGTH']],
    [{ isci: 'OTHER' }, ['WRONG_COPY']],
    [{ isci: undefined }, []],
    [{ spot_length: 15, isci: 'OTHER', air_time: '12:00' }, ['OUT_OF_DAYPART', 'WRONG_LENGTH', 'WRONG_COPY']],
    [{ spot_length: 15, air_date: '2026-12-08' }, ['RUN_NOT_ORDERED']],
    [{ network: 'OTHER' }, ['RUN_NOT_ORDERED']],
    [{ makegood_for_unit_id: 'unit_a', air_date: '2026-12-20' }, ['MAKEGOOD']],
    [{ makegood_for_date: '2026-12-07', air_date: '2026-12-20', spot_length: 60 }, ['MAKEGOOD', 'WRONG_LENGTH']],
    [{ makegood_for_date: '2026-12-08' }, ['RUN_NOT_ORDERED']],
    [{ unit_id: 'unit_b', air_date: '2026-12-08' }, ['RUN_NOT_ORDERED']],
  ])('that aired as %j has %j', (more, expected) => {
    expect(codes({ rows: [anAiring(more)] })).toEqual(expected)
  })

  it('is a repeat in the minute of another one, and not ordered in any other', () => {
    const booked = [someSpots({ units: 1 })]
    expect(codes({ booked, rows: [anAiring(), anAiring({ air_time: '20:30:40' })] })).toEqual(['DUPLICATE'])
    expect(codes({ booked, rows: [anAiring(), anAiring({ air_time: '20:31' })] })).toEqual(['RUN_NOT_ORDERED'])
    expect(codes({ booked, rows: [anAiring(), aBill(), aBill()] })).toEqual(['BILLED_NOT_RUN'])
  })
})

describe('the choice of an airing', () => {
  const late = someSpots({ unit_id: 'unit_b', units: 1, windows: [{ start: '20:00', end: '24:00' }] })
  const early = someSpots({ units: 1 })
  const states = (more: Partial<ReconcileInput>) => run(more).lines.map(({ unit_id, aired_in_spec }) => [unit_id, aired_in_spec])

  it('takes the window that ends first, so that later airings find one', () => {
    const rows = [anAiring(), anAiring({ air_time: '23:30' })]
    expect(states({ booked: [early, late], rows })).toEqual([
      ['unit_a', 1],
      ['unit_b', 1],
    ])
  })

  it.each([
    ['the line that it names', { unit_id: 'unit_b' }, undefined],
    ['the line of its copy', { isci: 'COPY2' }, undefined],
    ['the line of its rate', {}, 250],
  ])('takes %s', (_, more, rate) => {
    const booked = [early, { ...late, isci: ['COPY1', 'COPY2'], price: rate === undefined ? '100' : '250', gross: '250' }]
    const rows = [anAiring(more), ...(rate === undefined ? [] : [aBill({ rate })])]
    expect(states({ booked, rows })).toEqual([
      ['unit_a', 0],
      ['unit_b', 1],
    ])
  })

  it('takes the nearer window outside of both', () => {
    const morning = someSpots({ unit_id: 'unit_c', windows: [{ start: '07:00', end: '09:00' }] })
    const taken = (air_time: string) =>
      run({ booked: [early, morning], rows: [anAiring({ air_time })] }).lines.find((line) => line.aired_out_of_spec > 0)?.unit_id
    expect([taken('12:00'), taken('16:00'), taken('06:30')]).toEqual(['unit_c', 'unit_a', 'unit_c'])
  })

  it('takes a bill within ten minutes, the same copy before the earlier one', () => {
    const rows = [anAiring({ isci: 'OTHER', air_time: '20:25' }), anAiring({ air_time: '20:35' }), aBill({ air_time: '20:30' })]
    const { lines } = run({ rows, booked: [someSpots()], invoicedMonths: ['2026-12'] })
    const unbilled = lines[0]?.variances.find(({ code }) => code === 'RUN_NOT_BILLED')
    expect(unbilled?.rows).toEqual([rows[0]])
    const minutes = (match_minutes: number) =>
      run({ rows: [anAiring(), aBill({ air_time: '20:50:10' })], tolerance: { match_minutes }, loggedDays: LOGGED })
    expect([minutes(20), minutes(19)].map(({ lines: found }) => found.flatMap(codesOf))).toEqual([
      ['ORDERED_NOT_RUN'],
      ['ORDERED_NOT_RUN', 'BILLED_NOT_RUN'],
    ])
  })
})

describe('days', () => {
  it('airs overnight on the broadcast date of its window, on either clock', () => {
    const booked = [someSpots({ units: 3, windows: [{ start: '23:00', end: '02:00' }] })]
    const rows = [
      anAiring({ air_date: '2026-12-08', air_time: '01:30' }),
      anAiring({ air_time: '25:40', clock: 'broadcast' }),
      anAiring({ air_time: '01:50', clock: 'broadcast' }),
    ]
    expect(run({ booked, rows }).totals).toMatchObject({ aired_in_spec: 3 })
  })

  it('counts a window after midnight to the broadcast day before', () => {
    const booked = [someSpots({ units: 1, windows: [{ start: '00:30', end: '02:00' }] })]
    expect(codes({ booked, loggedDays: LOGGED })).toEqual([])
    expect(codes({ booked, loggedDays: [{ network: 'CBL', broadcast_date: '2026-12-06' }] })).toEqual(['ORDERED_NOT_RUN'])
    expect(codes({ booked, rows: [anAiring({ ran: false, air_time: undefined })] })).toEqual(['MISSED'])
    expect(codes({ booked, rows: [anAiring({ air_date: '2026-12-06', air_time: '23:30' })] })).toEqual(['OUT_OF_DAYPART'])
  })

  it.each(['2027-03-14', '2027-11-07'])('keeps local time on %s, when the clocks change', (air_date) => {
    const booked = [someSpots({ air_date, units: 3, windows: [{ start: '01:00', end: '03:30' }] })]
    const rows = ['01:30', '02:30', '03:29'].map((air_time) => anAiring({ air_date, air_time }))
    expect(run({ booked, rows }).totals).toMatchObject({ aired_in_spec: 3 })
  })

  it('bills the week of January 1 in the broadcast month of its Sunday', () => {
    const air_date = '2026-12-28' // Monday of 2026-W53, whose Sunday is 2027-01-03
    const input = { booked: [someSpots({ air_date, units: 1 })], rows: [anAiring({ air_date })] }
    expect(codes({ ...input, invoicedMonths: ['2026-12'] })).toEqual([])
    expect(codes({ ...input, invoicedMonths: ['2027-01'] })).toEqual(['RUN_NOT_BILLED'])
    expect(codes({ ...input, rows: [anAiring({ air_date: '2027-01-03' })] })).toEqual(['WRONG_DATE'])
    expect(codes({ ...input, rows: [anAiring({ air_date: '2027-01-04' })] })).toEqual(['RUN_NOT_ORDERED'])
  })
})

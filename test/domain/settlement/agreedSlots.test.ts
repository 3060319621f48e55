import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { type ReconcileInput, reconcile } from '../../../src/domain/settlement/reconcile.ts'
import type { AgreedSlots } from '../../../src/domain/settlement/spotsAndClaims.ts'
import { aBill, anAiring, someSpots } from '../../support/settlement/aSellerRow.ts'
import { someInput } from '../../support/settlement/someReconciliation.ts'

/** Two units of unit_a on Monday 2026-12-07 at 100.00, from 20:00 to 23:00. */
const MISSED = someSpots({ units: 2, gross: '200' })
const { network, air_date } = MISSED

function agreed(more: Partial<AgreedSlots> = {}): AgreedSlots {
  return {
    ...{
      makegood_id: 'mkg_1',
      product_id: 'prime',
      network,
      air_date: '2026-12-10',
      units: 1,
      spot_length: 30,
      billing: 'aired',
      reason: 'preempted',
    },
    windows: [{ start: '20:00', end: '23:00' }],
    replaces: [{ unit_id: MISSED.unit_id, network, air_date, units: 1, gross: 100 }],
    ...more,
  }
}

const lineOf = (more: Partial<ReconcileInput> = {}) => {
  const { lines } = reconcile({
    currency: 'USD',
    booked: [MISSED],
    rows: [],
    loggedDays: [],
    invoicedMonths: [],
    agreed: [agreed()],
    ...more,
  })
  return lines.find((line) => line.unit_id === MISSED.unit_id && line.air_date === air_date)
}
const aired = (more: object = {}) => anAiring({ air_date: '2026-12-10', air_time: '20:30', ...more })
const codesOf = (line: ReturnType<typeof lineOf>) => line?.variances.map(({ code }) => code)

describe('an agreed makegood', () => {
  it('reads missed and made good until it airs', () => {
    const line = lineOf()
    expect(line).toMatchObject({ ordered: 2, missed: 1, made_good: 1, makegood: 0, open: 1 })
    expect(line?.variances).toMatchObject([{ code: 'MISSED', reason: 'preempted', makegood_id: 'mkg_1', gross: 100 }])
    expect('makegood_airings' in (line ?? {})).toBe(false)
  })

  it('takes its slot whether the log names what it makes good or not', () => {
    for (const row of [aired(), aired({ makegood_for_unit_id: MISSED.unit_id, makegood_for_date: air_date })]) {
      const line = lineOf({ rows: [row] })
      expect(line).toMatchObject({ ordered: 2, missed: 0, made_good: 1, makegood: 1, makegood_airings: 1, open: 1 })
      expect(line?.variances).toMatchObject([{ code: 'MAKEGOOD', agreed: true, makegood_id: 'mkg_1', gross: 100, rows: [row] }])
    }
  })

  it('comes before a spot that the log could also mean, and leaves its spot to no other airing', () => {
    const named = { makegood_for_unit_id: MISSED.unit_id, makegood_for_date: air_date }
    const line = lineOf({ rows: [anAiring({ air_time: '20:10' }), anAiring({ air_time: '20:40' }), aired(named)] })
    expect(line).toMatchObject({ aired_in_spec: 1, makegood: 1, open: 0 })
  })

  it('that airs outside its window is agreed and out of its daypart', () => {
    const named = { makegood_for_unit_id: MISSED.unit_id, makegood_for_date: air_date }
    for (const row of [aired({ air_time: '12:00' }), aired({ air_time: '12:00', ...named })]) {
      const line = lineOf({ rows: [row] })
      expect([line?.makegood, codesOf(line)]).toEqual([1, ['MAKEGOOD', 'OUT_OF_DAYPART']])
    }
  })

  it('that airs on another day than was agreed is shown as not agreed', () => {
    const row = aired({ air_date: '2026-12-20', makegood_for_unit_id: MISSED.unit_id, makegood_for_date: air_date })
    const one = someSpots({ units: 1, gross: '100' })
    const line = lineOf({ booked: [one], rows: [row] })
    expect(line?.variances).toMatchObject([{ code: 'MAKEGOOD', agreed: false, makegood_id: 'mkg_1' }])
  })

  it('is told from one that airs without an agreement', () => {
    const row = aired({ makegood_for_unit_id: MISSED.unit_id, makegood_for_date: air_date })
    expect(lineOf({ rows: [row], agreed: [] })?.variances).toMatchObject([{ code: 'MAKEGOOD', agreed: false }])
    expect(lineOf({ rows: [row], agreed: [] })).not.toHaveProperty('made_good')
  })

  it('is billed at the price of what it replaces, in the month that was agreed', () => {
    const bill = aBill({ air_date: '2026-12-10', air_time: '20:30', rate: 100 })
    expect(codesOf(lineOf({ rows: [aired(), bill] }))).toEqual(['MAKEGOOD'])
    expect(codesOf(lineOf({ rows: [aired(), { ...bill, rate: 90 }] }))).toEqual(['MAKEGOOD', 'RATE_MISMATCH'])
    // It airs in January, by which the station bills; the booked month is December.
    const later = { air_date: '2026-12-29' }
    const [byAiring, byBooking] = [agreed(later), agreed({ ...later, billing: 'booked' })]
    const rows = [aired(later)]
    const codes = (makegood: AgreedSlots, month: string) => codesOf(lineOf({ rows, agreed: [makegood], invoicedMonths: [month] }))
    expect([codes(byAiring, '2026-12'), codes(byAiring, '2027-01')]).toEqual([['MAKEGOOD'], ['MAKEGOOD', 'RUN_NOT_BILLED']])
    expect([codes(byBooking, '2027-01'), codes(byBooking, '2026-12')]).toEqual([['MAKEGOOD'], ['MAKEGOOD', 'RUN_NOT_BILLED']])
  })

  it('may be two spots for one: the second makes it good', () => {
    const two = agreed({ units: 2, spot_length: 15 })
    const row = (air_time: string) => aired({ air_time, spot_length: 15 })
    expect(lineOf({ agreed: [two], rows: [row('20:10')] })).toMatchObject({ missed: 1, makegood: 0, makegood_airings: 1 })
    const line = lineOf({ agreed: [two], rows: [row('20:10'), row('20:40')] })
    expect(line).toMatchObject({ missed: 0, makegood: 1, makegood_airings: 2 })
    expect(line?.variances.map(({ gross }) => gross)).toEqual([50, 50])
  })

  it('may be one spot for several lines, among which its cost is split', () => {
    const other = someSpots({ unit_id: 'unit_b', units: 1, price: '50', gross: '50' })
    const replaces = [MISSED, other].map(({ unit_id }, index) => ({ unit_id, network, air_date, units: 1, gross: index === 0 ? 100 : 50 }))
    const both = agreed({ spot_length: 60, replaces })
    const rows = [aired({ spot_length: 60 }), aBill({ air_date: '2026-12-10', air_time: '20:30', spot_length: 60, rate: 150 })]
    const { lines, totals } = reconcile({
      currency: 'USD',
      booked: [MISSED, other],
      rows,
      loggedDays: [],
      invoicedMonths: [],
      agreed: [both],
    })
    expect(lines).toMatchObject([
      { unit_id: MISSED.unit_id, makegood: 1, billed: 1, billed_gross: 100 },
      { unit_id: 'unit_b', makegood: 1, billed: 0, billed_gross: 50 },
    ])
    expect(totals).toMatchObject({ billed: 1, billed_gross: 150, makegood: 2, makegood_airings: 1, made_good: 2 })
  })

  it('has no slot once what it replaces is no longer booked', () => {
    const line = lineOf({ booked: [someSpots({ units: 0, gross: '0' }), someSpots({ unit_id: 'unit_b' })], rows: [aired()] })
    expect(line).toBeUndefined()
  })
})

describe('any order with agreed makegoods', () => {
  const withAgreed = someInput.chain((input) => {
    const spots = input.booked.filter(({ kind, units }) => kind === 'spot' && units > 0)
    const some = fc.subarray(spots, { maxLength: Math.min(spots.length, 3) }).map((chosen) =>
      chosen.map((spot, index) =>
        agreed({
          ...{
            makegood_id: `mkg_${index}`,
            network: spot.network,
            air_date: spot.air_date,
            spot_length: spot.spot_length,
            units: 1 + (index % 2),
          },
          windows: spot.windows,
          replaces: [{ unit_id: spot.unit_id, network: spot.network, air_date: spot.air_date, units: 1, gross: jsonNumber(spot.price) }],
        }),
      ),
    )
    return some.map((agreements) => ({ ...input, agreed: agreements }))
  })

  it('has each spot in one state, each aired row in one count and each bill once', () => {
    fc.assert(
      fc.property(withAgreed, (input) => {
        const { lines, totals } = reconcile(input)
        for (const line of lines) {
          expect(line.aired_in_spec + line.aired_out_of_spec + line.makegood + line.missed + line.open).toBe(line.ordered)
          expect(line.made_good ?? 0).toBeLessThanOrEqual(line.ordered)
        }
        const ran = (type: string) => input.rows.filter((row) => row.ran && row.record_type === type)
        const made = totals.makegood_airings ?? totals.makegood
        expect(totals.aired_in_spec + totals.aired_out_of_spec + made + totals.unordered + totals.duplicate).toBe(ran('as_run').length)
        expect(totals.billed).toBe(ran('invoice').length)
        expect(totals.variance_gross).toBe(jsonNumber(sum(lines.map(({ variance_gross }) => variance_gross))))
      }),
      { numRuns: 200 },
    )
  })

  it('gives the same bytes in any order of its makegoods and rows', () => {
    const shuffled = withAgreed.chain((input) =>
      fc.record({
        input: fc.constant(input),
        rows: fc.shuffledSubarray([...input.rows], { minLength: input.rows.length }),
        others: fc.shuffledSubarray(input.agreed, { minLength: input.agreed.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ input, rows, others }) => {
        expect(JSON.stringify(reconcile({ ...input, rows, agreed: others }))).toBe(JSON.stringify(reconcile(input)))
      }),
      { numRuns: 200 },
    )
  })
})

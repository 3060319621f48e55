import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { LINE_COUNTS } from '../../../src/contract/vocabulary/reconciliation.ts'
import { type DecimalLike, decimal, jsonNumber, sum } from '../../../src/domain/decimal.ts'
import { localTime } from '../../../src/domain/settlement/localTime.ts'
import { type ReconcileInput, reconcile } from '../../../src/domain/settlement/reconcile.ts'
import type { ReconciliationTotals } from '../../../src/domain/settlement/reconciliationLines.ts'
import { aBill, anAiring, someSpots } from '../../support/settlement/aSellerRow.ts'
import { someInput, somePerfect } from '../../support/settlement/someReconciliation.ts'

const RUNS = { numRuns: 300 }
const totalOf = (figures: readonly DecimalLike[]) => jsonNumber(sum(figures))
const lessOf = (a: number, b: number) => jsonNumber(decimal(a).minus(decimal(b)))
const airedIn = (line: ReconciliationTotals) => line.aired_in_spec + line.aired_out_of_spec + line.makegood

describe('any order and any rows', () => {
  it('have variances that sum to billed less ordered', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const { lines, totals } = reconcile(input)
        expect([...lines, totals].filter((line) => line.variance_gross !== lessOf(line.billed_gross, line.ordered_gross))).toEqual([])
        expect(totals.variance_gross).toBe(totalOf(lines.map(({ variance_gross }) => variance_gross)))
        expect(totals.ordered_gross).toBe(totalOf(input.booked.map(({ gross }) => gross)))
      }),
      RUNS,
    )
  })

  it('have each ordered spot in one of five states', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const { lines, totals } = reconcile(input)
        expect([...lines, totals].filter((line) => line.ordered !== airedIn(line) + line.missed + line.open)).toEqual([])
        expect(totals.ordered).toBe(input.booked.reduce((units, group) => units + group.units, 0))
        const counts = lines.flatMap((line) => LINE_COUNTS.map((name) => line[name]))
        expect(counts.filter((count) => !(count >= 0) || Object.is(count, -0))).toEqual([])
      }),
      RUNS,
    )
  })

  it('have each aired row in one count and each billed one counted once', () => {
    fc.assert(
      fc.property(someInput, (input) => {
        const { totals } = reconcile(input)
        const ran = (type: string) => input.rows.filter((row) => row.ran && row.record_type === type)
        expect(airedIn(totals) + totals.unordered + totals.duplicate).toBe(ran('as_run').length)
        expect(totals.billed).toBe(ran('invoice').length)
        expect(totals.billed_gross).toBeCloseTo(totalOf(ran('invoice').map(({ rate = 0 }) => rate)), 1)
      }),
      RUNS,
    )
  })

  it('give the same bytes in any order, and again', () => {
    const shuffled = someInput.chain((input) =>
      fc.record({
        input: fc.constant(input),
        rows: fc.shuffledSubarray([...input.rows], { minLength: input.rows.length }),
        booked: fc.shuffledSubarray([...input.booked], { minLength: input.booked.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ input, rows, booked }) => {
        const bytes = JSON.stringify(reconcile(input))
        expect(JSON.stringify(reconcile({ ...input, rows, booked }))).toBe(bytes)
        expect(JSON.stringify(reconcile(input))).toBe(bytes)
      }),
      RUNS,
    )
  })
})

describe('a perfect log', () => {
  it('has no variance if its rows name their lines', () => {
    fc.assert(
      fc.property(somePerfect(true), (input) => {
        const { lines, totals } = reconcile(input)
        expect(lines.flatMap(({ variances }) => variances)).toEqual([])
        expect(totals.aired_in_spec).toBe(totals.ordered)
      }),
      { numRuns: 500 },
    )
  })

  it('has no spot missed or open if they do not', () => {
    fc.assert(
      fc.property(somePerfect(false), (input) => {
        const { totals } = reconcile(input)
        expect([totals.missed, totals.open, totals.unordered, totals.duplicate]).toEqual([0, 0, 0, 0])
      }),
      { numRuns: 500 },
    )
  })
})

describe('spots of one length', () => {
  it('air in as many windows as any assignment could fill', () => {
    const time = fc.integer({ min: 19 * 60, max: 25 * 60 }).map((minute) => clock(minute))
    const windows = fc.array(fc.tuple(fc.integer({ min: 19, max: 24 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 })), {
      minLength: 1,
      maxLength: 5,
    })
    fc.assert(
      fc.property(windows, fc.array(time, { maxLength: 8 }), (drawn, times) => {
        const booked = drawn.map(([start, hours, units], index) => {
          const window = { start: clock(start * 60), end: clock((start + hours) * 60) }
          return someSpots({
            unit_id: `unit_${index}`,
            units,
            isci: [],
            windows: [{ start: wall(window.start), end: wall(window.end) }],
            ...(start >= 24 ? { air_date: '2026-12-08' } : {}),
          })
        })
        const rows = times.map((air_time) => anAiring({ air_time, clock: 'broadcast', isci: undefined }))
        const { totals } = reconcile({ currency: 'USD', booked, rows, loggedDays: [], invoicedMonths: [] })
        expect(totals.aired_in_spec).toBe(largestMatching(booked, times))
      }),
      RUNS,
    )
  })

  it('take time in proportion to rows, even in one minute', () => {
    const cpuOf = (many: number) => {
      const rows = Array.from({ length: many }, (_, index) => [anAiring({ isci: `C${index}` }), aBill({ isci: undefined })]).flat()
      const input: ReconcileInput = {
        currency: 'USD',
        booked: [someSpots({ units: many / 2, isci: [] })],
        rows,
        loggedDays: [],
        invoicedMonths: [],
      }
      const begun = process.cpuUsage()
      expect(reconcile(input).totals).toMatchObject({ aired_in_spec: many / 2, unordered: many / 2, billed: many })
      const { user, system } = process.cpuUsage(begun)
      return user + system
    }
    // Eight times the rows take about nine times the CPU; with time that grows by the square it would be 64 times, in every attempt.
    expect([1, 2, 3].some(() => cpuOf(16_000) / cpuOf(2_000) < 32)).toBe(true)
  })
})

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

function wall(time: string): string {
  return `${String(Number(time.slice(0, 2)) % 24).padStart(2, '0')}${time.slice(2)}`
}

/** The size of a maximum matching of airings and spots, by augmenting paths. */
function largestMatching(booked: ReconcileInput['booked'], times: readonly string[]): number {
  const spots = booked.flatMap(({ units, windows, air_date }) => {
    const { start = '', end = '' } = windows[0] ?? {}
    const from = localTime(air_date, start)
    const to = localTime(air_date, end)
    return Array.from({ length: units }, () => ({ from: from - 300, to: (to > from ? to : to + 86_400) + 300 }))
  })
  const takenBy = new Map<number, number>()
  const ats = times.map((time) => localTime('2026-12-07', time))
  const augment = (row: number, tried: Set<number>): boolean =>
    spots.some(({ from, to }, spot) => {
      const at = ats[row] as number
      if (at < from || at >= to || tried.has(spot)) return false
      tried.add(spot)
      const holder = takenBy.get(spot)
      if (holder !== undefined && !augment(holder, tried)) return false
      takenBy.set(spot, row)
      return true
    })
  return ats.filter((_, row) => augment(row, new Set())).length
}

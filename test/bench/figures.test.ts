import { describe, expect, it } from '@jest/globals'
import type { Result } from './keepResults.ts'
import { unitCosts } from './pages/figures.ts'
import { bytes, count, NOT_MEASURED, number } from './pages/forms.ts'
import { withFigures } from './pages/pages.ts'
import { ordersPerDayOf, sizesFor, type UnitCosts, USUAL_LOAD } from './pages/sizing.ts'

const UNITS: UnitCosts = {
  order: {
    api: 6_000,
    worker: 20_000,
    postgres: 8_000,
    temporal: 30_000,
    wal: 10_000,
    rows: 20,
    stored: 8_000,
    historyEvents: 14,
    historyBytes: 9_000,
  },
  read: { api: 200, postgres: 100 },
  delivery: { worker: 500, postgres: 250, wal: 1_000 },
}

const result = (id: string, ours: Record<string, number>, work = ''): Result => ({
  ...{ id, work, against: 'none', unit: 'us', ours: 1, limit: null, ratio: null, spread: null, pairs: 7, goal: 'none', met: true },
  ...{ counters: { ours, limit: {} }, measured_at: '2030-01-01', load_before: 0.1 },
})
const machine = { platform: 'linux-x64', cpu: 'a CPU', cores: 2, memory_gb: 8, node: 'v20.0.0' }
const benchmarks = (...results: Result[]) => ({ machine, notes: [], results })

describe('sizesFor', () => {
  it('adds what reads and deliveries of an order take to the order itself, at the busiest hour and with room to spare', () => {
    const sizes = sizesFor(UNITS, { ordersPerDay: 1_800_000, peakShare: 0.2, readsPerOrder: 20, deliveriesPerOrder: 8, busy: 0.5 })
    expect(sizes).toEqual({
      ordersPerSecond: 100,
      apiCores: 2, // 6 ms and twenty reads of 0.2 ms are a core, which may be half busy
      workerCores: 4.8,
      postgresCores: 2.4,
      temporalCores: 6,
      walPerSecond: 1_800_000,
      historyEventsPerSecond: 1_400,
      rowsPerDay: 36_000_000,
      storedPerDay: 14_400_000_000,
      historyPerDay: 16_200_000_000,
    })
  })

  it('says the same the other way round: orders that a number of cores carries need those cores', () => {
    const ordersPerDay = ordersPerDayOf(UNITS, USUAL_LOAD, 'workerCores', 3)
    expect(sizesFor(UNITS, { ...USUAL_LOAD, ordersPerDay }).workerCores).toBeCloseTo(3, 9)
  })
})

describe('unitCosts', () => {
  it('finds each cost in the counters of its row', () => {
    const order = { cpu_us_api: 6_000, cpu_us_worker: 20_000, cpu_us_postgres: 8_000, cpu_us_temporal: 30_000, wal_bytes: 10_000 }
    const rows = [
      result('P5', order),
      result('P6', { history_events: 14, history_bytes: 9_000 }),
      result('P7', { cpu_us_server: 999, cpu_us_postgres: 999 }, 'replay of events'),
      result('P7', { cpu_us_server: 200, cpu_us_postgres: 100 }, 'snapshot'),
      result('P11', { cpu_us_worker: 500, cpu_us_postgres: 250, wal_bytes: 1_000 }),
      result('P13', { rows: 20, table_bytes: 5_000, index_bytes: 3_000 }),
    ]
    expect(unitCosts({ results: rows })).toEqual(UNITS)
  })
})

describe('rows of a page', () => {
  it('name those that are not measured yet beside those that are', () => {
    const page = '<!-- figures: rows P1 P2 P3 -->\n\n<!-- end of figures -->\n'
    const text = withFigures(page, benchmarks(result('P2', {}, 'one at a time')))
    expect(text).toContain('| one at a time |')
    expect(text).toContain(`Of these, P1, P3 are ${NOT_MEASURED}.`)
  })
})

describe('forms', () => {
  it('has three digits, units and a word for what is not known', () => {
    expect([number(0.012345), number(1_234.5), number(Number.NaN)]).toEqual(['0.0123', '1,230', NOT_MEASURED])
    expect([count(14), count(9_999), count(1_250_000), count(2e9)]).toEqual(['14', '10,000', '1.25 million', '2 billion'])
    expect([bytes(753), bytes(5_690), bytes(8e12), bytes(undefined)]).toEqual(['753 bytes', '5.69 kB', '8 TB', NOT_MEASURED])
  })
})

describe('withFigures', () => {
  const page = (figures: string) => `before\n<!-- figures: rows P2 -->\n${figures}<!-- end of figures -->\nafter\n`

  it('replaces what is between marks by the table that they ask for, and changes nothing when it is there', () => {
    const shown = benchmarks(result('P2', {}, 'one at a time'), result('P20', {}, 'another'))
    const made = withFigures(page('stale\n'), shown)
    expect(made).toMatch(
      /^before\n<!-- figures: rows P2 -->\n\n\| Work .*\n\|---.*\n\| one at a time .*\n\n<!-- end of figures -->\nafter\n$/,
    )
    expect(withFigures(made, shown)).toBe(made)
  })

  it('says so where nothing has been measured, and refuses what there is no table for', () => {
    expect(withFigures(page(''), benchmarks())).toContain(NOT_MEASURED)
    expect(() => withFigures(page('').replace('rows', 'rose'), benchmarks())).toThrow('rose')
  })
})

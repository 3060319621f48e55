import { describe, expect, it } from '@jest/globals'
import { gridTable } from '../../../src/adapters/tables/tableReader/grid.ts'
import { gridSheet } from '../../../src/adapters/tables/tableReader/sheets.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'

type Merge = { startRow: number; startCol: number; endRow: number; endCol: number }
const read = (rows: string[][], merges: Merge[] = []) => readOrder([gridSheet(gridTable(rows, '', merges), undefined)], () => '2030-06-01')

const HEAD = ['Program', 'Days', 'Time', 'Length', 'Week', 'Spots', 'Rate']
const row = (week: string, units = '10') => ['News', 'M-F', '6a-7a', ':30', week, units, '$100.00']
const periods = (head: string[], ...rows: string[][]) => {
  const { lines, stops } = read([head, ...rows])
  return lines.map((line, at) =>
    stops[at]?.length === 0 ? line.periods.map(({ grain, start }) => `${grain} ${start}`).join(', ') : 'asked',
  )
}

describe('the period that a row names', () => {
  it.each([
    ['2030-W23', 'week 2030-06-03'],
    ['6/3/2030', 'week 2030-06-03'],
    ['w/c Jun 10', 'week 2030-06-10'],
    ['W24', 'week 2030-06-10'],
    ['6/5/2030', 'asked'],
    ['whenever', 'asked'],
  ])('of a week: %s', (text, expected) => expect(periods(HEAD, row(text))).toEqual([expected]))

  it('is a month where it names one, and asked where a date alone may be a day or a week', () => {
    const headed = (heading: string) => HEAD.map((text) => (text === 'Week' ? heading : text))
    expect(periods(headed('Month'), row('June 2030'))).toEqual(['month 2030-06'])
    expect(periods(headed('Date'), row('6/3/2030'), row('6/5/2030'))).toEqual(['asked', 'asked'])
    expect(periods(headed('Date'), row('03/06/2030'), row('17/06/2030'))).toEqual(['asked', 'asked'])
  })

  it('is asked for units of a span of several weeks, though the span be a month', () => {
    const dated = ['Program', 'Days', 'Time', 'Length', 'Flight', 'Spots', 'Rate']
    expect(periods(dated, row('6/1/2030 - 6/30/2030'))).toEqual(['asked'])
    expect(periods(dated, row('6/3/2030 - 6/9/2030'))).toEqual(['week 2030-06-03'])
  })

  it('has one order of day and month in all rows, or is asked', () => {
    expect(periods(HEAD, row('03/06/2030'), row('17/06/2030'))).toEqual(['week 2030-06-03', 'week 2030-06-17'])
    expect(periods(HEAD, row('06/03/2030'), row('06/17/2030'))).toEqual(['week 2030-06-03', 'week 2030-06-17'])
    expect(periods(HEAD, row('03/06/2030'), row('17/06/2030'), row('06/17/2030'))).toEqual(['asked', 'week 2030-06-17', 'week 2030-06-17'])
  })
})

describe('a merged cell of a grid', () => {
  const grid = ['Program', 'Days', 'Time', 'Length', 'Rate', '6/3/2030', '6/10/2030']
  const line = (first: string, second: string) => ['News', 'M-F', '6a-7a', ':30', '$100.00', first, second]
  const asked = (merge?: Merge) => read([grid, line('10', ''), line('', '4')], merge && [merge]).stops.map((stop) => stop.length > 0)

  it('is of no line where it stands for the units of several rows or columns', () => {
    expect(asked()).toEqual([false, false])
    expect(asked({ startRow: 1, startCol: 5, endRow: 2, endCol: 5 })).toEqual([true, true])
    expect(asked({ startRow: 1, startCol: 5, endRow: 1, endCol: 6 })).toEqual([true, false])
  })
})

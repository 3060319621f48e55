import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Text } from '../../../src/domain/document/cells.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'

/** Orders as pages of any widths, gaps and alignments, with any of the columns that state totals. */
const WEEKS = ['6/3', '6/10', '6/17', '6/24', '7/1', '7/8', '7/15', '7/22']
const STARTS = ['2030-06-03', '2030-06-10', '2030-06-17', '2030-06-24', '2030-07-01', '2030-07-08', '2030-07-15', '2030-07-22']
const CHARACTER = 5

const align = fc.constantFrom('left', 'center', 'right')
const order = fc.record({
  weeks: fc.integer({ min: 2, max: 8 }),
  lines: fc.array(
    fc.record({
      units: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 12 })), { minLength: 8, maxLength: 8 }),
      rate: fc.constantFrom(10, 25, 50, 120, 12.5, 7),
      length: fc.constantFrom(15, 30),
      program: fc.constantFrom('News', 'Morning Show', 'Late Movie', 'Weekend Variety Hour'),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  columns: fc.record({ spots: fc.boolean(), cost: fc.boolean(), rating: fc.boolean(), rateFirst: fc.boolean(), totals: fc.boolean() }),
  gap: fc.constantFrom(4, 8, 14, 25),
  wide: fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }),
  headings: align,
  numbers: align,
})
type Order = typeof order extends fc.Arbitrary<infer O> ? O : never

interface Column {
  readonly heading: string
  readonly cells: readonly string[]
  readonly total?: string
  readonly isNumber?: boolean
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0)

function columnsOf({ weeks, lines: all, columns }: Order): Column[] {
  const lines = all.map((line) => ({ ...line, units: line.units.slice(0, weeks) }))
  const column = (heading: string, of: (line: (typeof lines)[number]) => string, total = ''): Column => ({
    heading,
    cells: lines.map(of),
    total,
    isNumber: true,
  })
  const costs = lines.map(({ units, rate }) => sum(units) * rate)
  const rate = column('Rate', (line) => `$${line.rate.toFixed(2)}`)
  const dated = WEEKS.slice(0, weeks).map((week, at) =>
    column(week, ({ units }) => String(units[at] || ''), String(sum(lines.map(({ units }) => units[at] ?? 0)) || '')),
  )
  const ends = [
    ...(columns.spots ? [column('Spots', ({ units }) => String(sum(units)), String(sum(lines.map(({ units }) => sum(units)))))] : []),
    ...(columns.cost ? [column('Cost', (line) => `$${(sum(line.units) * line.rate).toFixed(2)}`, `$${sum(costs).toFixed(2)}`)] : []),
    ...(columns.rating ? [column('Rtg', () => '1.4')] : []),
  ]
  return [
    { heading: 'Days', cells: lines.map(() => 'M-F') },
    { heading: 'Time', cells: lines.map(() => '6a-7a') },
    { heading: 'Program', cells: lines.map(({ program }, at) => `${program} ${'ABCDEFGH'[at]}`), total: 'Total' },
    column('Len', ({ length }) => String(length)),
    ...(columns.rateFirst ? [rate, ...dated, ...ends] : [...dated, ...ends, rate]),
  ]
}

function textsOf(page: Order): Text[] {
  const columns = columnsOf(page)
  const widths = columns.map(({ heading, cells, total = '' }, at) => {
    const longest = Math.max(...[heading, ...cells, total].map((text) => text.length))
    return longest * CHARACTER + (page.wide[at] === true ? 20 : 0)
  })
  const text = (said: string, at: number, y: number, side: string): Text[] => {
    const [from, width, own] = [30 + sum(widths.slice(0, at)) + at * page.gap, widths[at] ?? 0, said.length * CHARACTER]
    const left = from + { left: 0, center: (width - own) / 2, right: width - own }[side as 'left']
    return said === '' ? [] : [{ text: said, at: 'page 1', left, right: left + own, y, size: 9 }]
  }
  return [
    { text: 'Flight 6/3/2030 - 7/28/2030', at: 'page 1', left: 30, right: 170, y: 10, size: 9 },
    ...columns.flatMap(({ heading, cells, total = '', isNumber = false }, at) => [
      ...text(heading, at, 40, page.headings),
      ...cells.flatMap((cell, row) => text(cell, at, 53 + row * 13, isNumber ? page.numbers : 'left')),
      ...(page.columns.totals ? text(total, at, 53 + cells.length * 13, isNumber ? page.numbers : 'left') : []),
    ]),
  ]
}

it('an order as any page is read as it is, or asked, and no line is lost', () => {
  let read = 0
  fc.assert(
    fc.property(order, (page) => {
      const { lines, stops, questions, refusal } = readOrder([{ layout: 'page', texts: textsOf(page) }], () => '2030-05-01')
      const truth = page.lines.flatMap(({ units, rate, length }) =>
        units.slice(0, page.weeks).flatMap((count, week) => (count === 0 ? [] : [`${STARTS[week]} ${count}x${rate} :${length}`])),
      )
      const taken = lines.flatMap(({ periods, rate, length }, at) =>
        (stops[at]?.length ?? 0) > 0 ? [] : periods.map(({ start, units }) => `${start} ${units}x${rate?.toFixed()} :${length}`),
      )
      const isAsked = refusal !== undefined || questions.some(({ kind }) => kind !== 'fee')
      const left = [...truth]
      for (const line of taken) {
        if (!left.includes(line)) throw new Error(`${line} is not ordered`)
        left.splice(left.indexOf(line), 1)
      }
      if (left.length > 0 && !isAsked) throw new Error(`${left[0]} is lost`)
      if (left.length === 0) read += 1
    }),
    { numRuns: 600 },
  )
  expect(read).toBeGreaterThan(300)
})

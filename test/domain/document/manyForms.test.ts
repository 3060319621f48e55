import { describe, expect, it } from '@jest/globals'
import type { Sheet, Text } from '../../../src/domain/document/cells.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'
import { sheetOfRows } from '../../support/orders/readTables.ts'

/** One order for airtime as many hands write it: other words for its headings, its weeks and its cells, and other totals. */
const COLUMNS = ['row', 'days', 'time', 'program', 'length', 'rate', 'w1', 'w2', 'w3', 'spots', 'cost'] as const
type Column = (typeof COLUMNS)[number]
const HEAD: Record<Column, string> = {
  row: 'Line',
  days: 'Days',
  time: 'Time',
  program: 'Program',
  length: 'Len',
  rate: 'Rate',
  w1: '6/3',
  w2: '6/10',
  w3: '6/17',
  spots: 'Spots',
  cost: 'Total',
}
const LINES = [
  ['1', 'M-F', '6a-7a', 'Morning News', '30', '$50.00', '2', '', '3', '5', '$250.00'],
  ['2', 'Sa-Su', '7p-8p', 'Weekend Show', '30', '$80.00', '1', '1', '', '2', '$160.00'],
  ['3', 'M-F', '9p-10p', 'Bonus Drama', ':15', '$0.00', '', '2', '', '2', '$0.00'],
]
const TOTAL = ['', '', '', 'Total', '', '', '3', '3', '3', '9', '$410.00']
const TRUTH = ['2030-06-03 2x50', '2030-06-17 3x50', '2030-06-03 1x80', '2030-06-10 1x80', '2030-06-10 2x0']
const FLIGHT = ['Client: Example Motors', '', 'Flight: 6/3/2030 - 6/23/2030']

/** Rows as a page prints them: words on the left of their columns, numbers on the right. */
function pageOf(rows: readonly string[][]): Sheet {
  const widths = Array.from({ length: Math.max(...rows.map((row) => row.length)) }, (_, at) =>
    Math.max(3, ...rows.map((row) => (row[at] ?? '').length)),
  )
  const lefts = widths.map((_, at) => 30 + widths.slice(0, at).reduce((sum, width) => sum + width * 5 + 14, 0))
  const texts = rows.flatMap((row, y) =>
    row.flatMap((text, at): Text[] => {
      const indent = /^[$\d.,]+$/.test(text) ? ((widths[at] ?? 0) - text.length) * 5 : 0
      const left = (lefts[at] ?? 0) + indent
      return text === '' ? [] : [{ text, at: 'page 1', left, right: left + text.length * 5, y: y * 14, size: 9 }]
    }),
  )
  return { layout: 'page', texts }
}

/** Returns what is taken as it stands; or that something is asked, or why the document is refused. */
function taken(rows: string[][], form: (of: string[][]) => Sheet): string[] | string {
  const width = Math.max(...rows.map((row) => row.length))
  const { lines, stops, questions, refusal } = readOrder(
    [form(rows.map((row) => [...row, ...Array(width - row.length).fill('')]))],
    () => '2030-05-01',
  )
  if (refusal !== undefined) return refusal
  const own = lines.flatMap(({ periods, rate }, at) =>
    (stops[at]?.length ?? 0) > 0 ? [] : periods.map(({ start, units }) => `${start} ${units}x${rate?.toFixed() ?? 0}`),
  )
  const isAsked = questions.some(({ kind }) => kind !== 'fee')
  return isAsked && own.every((line) => TRUTH.includes(line)) ? 'asked' : own
}

const FORMS: [string, (rows: string[][]) => Sheet][] = [
  ['a grid', (rows) => sheetOfRows(rows)],
  ['a page', pageOf],
]
const inColumn = (of: Column, text: string) =>
  LINES.map((row, at) => row.map((cell, column) => (at === 0 && COLUMNS[column] === of ? text : cell)))
const headed = (more: Partial<Record<Column, string>>) => Object.values({ ...HEAD, ...more })

const HEADINGS: Record<Exclude<Column, 'w1' | 'w2' | 'w3'>, string> = {
  row: 'Ln|Ln #|Line #|Line No.|Buy Line|Buyline|Seq|#|No.|Item|Line Number|Ref|Row',
  days: 'Day|Day(s)|Days of Week|Weekdays|Day of Week|Air Days',
  time: 'Times|Time Period|Daypart Time|Start/End Time|Time Slot|Hours|Window|Day Part',
  program: 'Programming|Program Name|Show|Title|Program/Daypart|Description|PROGRAM TITLE',
  length: 'Length|Lgth|LEN|Dur|Sec|Spot Length|Length (sec)|Unit Length|Duration|Len.',
  rate: 'Unit Rate|Spot Rate|Rate/Spot|Cost/Spot|Cost Per Spot|Unit Cost|Gross Rate|$/Spot|Price|Rate ($)|Gross $/Spot|Rate per :30|Cost per Unit',
  spots: 'Total Spots|Tot Spots|# Spots|# of Spots|Units|Total Units|Tot|Total|TTL|Qty|Spot Count|Total # Spots|Ordered|No. of Spots|Ads',
  cost: 'Total Cost|Gross|Gross Cost|Total Gross|Amount|Ext Cost|Extended|Total $|Total Amount|Line Total|Investment|Total Dollars|Tot Cost|Subtotal',
}
const WEEKS = [
  '6/3/30|6/10/30|6/17/30',
  '06/03|06/10|06/17',
  'Jun 3|Jun 10|Jun 17',
  '3-Jun|10-Jun|17-Jun',
  'Jun-03|Jun-10|Jun-17',
  'June 3|June 10|June 17',
  'Wk 6/3|Wk 6/10|Wk 6/17',
  'W/O 6/3|W/O 6/10|W/O 6/17',
  'Week of 6/3|Week of 6/10|Week of 6/17',
  'w/c 6/3|w/c 6/10|w/c 6/17',
  '6/3-6/9|6/10-6/16|6/17-6/23',
  'Jun 3-9|Jun 10-16|Jun 17-23',
  '03-Jun-30|10-Jun-30|17-Jun-30',
  '2030-06-03|2030-06-10|2030-06-17',
  'Mon 6/3|Mon 6/10|Mon 6/17',
  'Wk1 6/3|Wk2 6/10|Wk3 6/17',
]
const CELLS: Partial<Record<Column, string>> = {
  days: 'Mo-Fr|Mon-Fri|MTWTF|MTWThF|M,T,W,Th,F|MTuWThF|MTWTF--|Monday-Friday|M T W T F',
  time: '6-7a|6:00a-7:00a|6:00 AM - 7:00 AM|0600-0700|6am-7am|06:00-07:00|6:00a.m.-7:00a.m.|0600A-0700A|6 AM to 7 AM',
  length: ':30|30s|0:30|00:00:30|30 sec|:30s|30"|30.0',
  rate: '50|50.00|$50|USD 50.00|$ 50.00',
  cost: '250|250.00|$ 250.00',
  w1: '2.0|2x|2 spots',
  w2: '0|-|--|—|n/a|HIATUS',
}

describe.each(FORMS)('an order as %s', (_, form) => {
  it.each(Object.entries(HEADINGS).flatMap(([column, words]) => words.split('|').map((word) => [word, column as Column] as const)))(
    'is read with the heading %s',
    (word, column) => expect(taken([FLIGHT, headed({ [column]: word }), ...LINES, TOTAL], form)).toEqual(TRUTH),
  )

  it.each(WEEKS)('is read with weeks headed %s', (weeks) => {
    const [w1 = '', w2 = '', w3 = ''] = weeks.split('|')
    expect(taken([FLIGHT, headed({ w1, w2, w3 }), ...LINES, TOTAL], form)).toEqual(TRUTH)
    expect(taken([headed({ w1, w2, w3 }), ...LINES, TOTAL], form)).toEqual(TRUTH)
  })

  it.each(Object.entries(CELLS).flatMap(([column, texts]) => texts.split('|').map((text) => [text, column as Column] as const)))(
    'is read with %s in the column of %s',
    (text, column) => expect(taken([FLIGHT, headed({}), ...inColumn(column, text), TOTAL], form)).toEqual(TRUTH),
  )

  it.each(['Week 1|Week 2|Week 3', 'W1|W2|W3'])('with weeks headed %s is read in a flight of so many weeks, else asked', (weeks) => {
    const [w1 = '', w2 = '', w3 = ''] = weeks.split('|')
    expect(taken([FLIGHT, headed({ w1, w2, w3 }), ...LINES, TOTAL], form)).toEqual(TRUTH)
    expect(taken([headed({ w1, w2, w3 }), ...LINES, TOTAL], form)).toBe('asked')
    expect(taken([['Flight: 6/3/2030 - 6/30/2030'], headed({ w1, w2, w3 }), ...LINES, TOTAL], form)).toBe('asked')
  })

  it.each(['BONUS', 'N/C', 'Free', 'AV', 'No Charge', '$ -'])('has a bonus where the price is %s', (free) => {
    const rows = LINES.map((row, at) => (at === 2 ? [...row.slice(0, 3), 'Drama', row[4] ?? '', free, ...row.slice(6, 10), free] : row))
    expect(taken([FLIGHT, headed({}), ...rows, TOTAL], form)).toEqual(TRUTH)
  })

  it.each<[string, string[][]]>([
    ['is not what they come to', [[...TOTAL.slice(0, 9), '10', '$410.00']]],
    ['is of other money', [[...TOTAL.slice(0, 10), '$411.00']]],
  ])('is asked where a total %s', (_, totals) => expect(taken([FLIGHT, headed({}), ...LINES, ...totals], form)).toBe('asked'))

  it.each<[string, string[][]]>([
    ['above the lines', []],
    [
      'less a commission',
      [
        ['', '', '', 'Agency Commission 15%', '', '', '', '', '', '', '$61.50'],
        ['', '', '', 'Net Total', '', '', '', '', '', '', '$348.50'],
      ],
    ],
    [
      'with a fee',
      [
        ['', '', '', 'Production Fee', '', '', '', '', '', '', '$500.00'],
        ['', '', '', 'Grand Total', '', '', '', '', '', '9', '$910.00'],
      ],
    ],
    [
      'in words below',
      [
        ['Total Spots:', '9'],
        ['Total Gross:', '$410.00'],
      ],
    ],
  ])('is read with totals %s', (where, more) => {
    const rows = where === 'above the lines' ? [TOTAL, ...LINES] : [...LINES, TOTAL, ...more]
    expect(taken([FLIGHT, headed({}), ...rows], form)).toEqual(TRUTH)
  })

  it('of spots a week in a span is of its weeks', () => {
    const head = ['Days', 'Time', 'Program', 'Len', 'Start Date', 'End Date', 'Spots/Wk', 'Weeks', 'Spots', 'Rate', 'Cost']
    const line = (weeks: string, spots: string) => [
      'M-F',
      '6a-7a',
      'News',
      '30',
      '6/3/2030',
      '6/23/2030',
      '4',
      weeks,
      spots,
      '$25.00',
      '$300.00',
    ]
    expect(taken([head, line('3', '12')], form)).toEqual(['2030-06-03 4x25', '2030-06-10 4x25', '2030-06-17 4x25'])
    expect(taken([head, line('2', '12')], form)).toBe('asked')
  })
})

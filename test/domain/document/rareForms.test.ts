import { describe, expect, it } from '@jest/globals'
import { gridTable } from '../../../src/adapters/tables/tableReader/grid.ts'
import { gridSheet } from '../../../src/adapters/tables/tableReader/sheets.ts'
import { named } from '../../../src/domain/document/headings/vocabulary.ts'
import { readOrder } from '../../../src/domain/document/readOrder.ts'
import { amountOf, readSeconds } from '../../../src/domain/document/values/amounts.ts'
import { daysOf } from '../../../src/domain/document/values/weekdays.ts'

type Merge = { startRow: number; startCol: number; endRow: number; endCol: number }
type Rows = readonly (readonly string[])[]

const read = (sheets: Record<string, Rows>, merges: Merge[] = []) =>
  readOrder(
    Object.entries(sheets).map(([name, rows]) =>
      gridSheet(
        gridTable(
          rows.map((row) => [...row]),
          name,
          merges,
        ),
        name,
      ),
    ),
    () => '2030-05-01',
  )
/** What is taken as it stands of each line, or that it is asked. */
const taken = (rows: Rows, merges: Merge[] = []) => {
  const { lines, stops } = read({ Buy: rows }, merges)
  return lines.map(({ periods, rate }, at) =>
    (stops[at]?.length ?? 0) > 0 ? 'asked' : periods.map(({ start, units }) => `${start} ${units}x${rate?.toFixed() ?? ''}`).join(', '),
  )
}

const FLIGHT = ['Flight: 6/3/2030 - 6/16/2030']
const HEAD = ['Program', 'Days', 'Time', 'Len', 'Rate', '6/3', '6/10', 'Spots', 'Cost']
const NEWS = ['News', 'M-F', '6a-7a', '30', '$10.00', '2', '1', '3', '$30.00']
const TALK = ['Talk', 'M-F', '7a-8a', '30', '$20.00', '1', '1', '2', '$40.00']
const NEWS_TAKEN = '2030-06-03 2x10, 2030-06-10 1x10'
const TALK_TAKEN = '2030-06-03 1x20, 2030-06-10 1x20'

describe('weekdays by their places', () => {
  it.each([
    ['.....SS', 'Sat Sun'],
    ['M.....S', 'Mon Sun'],
    ['MTWTF__', 'Mon Tue Wed Thu Fri'],
    ['XXXXX--', 'Mon Tue Wed Thu Fri'],
    ['.T.T...', 'Tue Thu'],
    ['SMTWTF.', undefined],
    ['.MTWTF.', undefined],
    ['M-S', undefined],
    ['S-S', 'Sat Sun'],
  ])('%s', (text, days) => expect(daysOf(text)?.join(' ')).toBe(days))
})

it('a number whose point may be of thousands is no amount', () => {
  expect(['1.250', '12.500', '0.335', '1.25', '1,250.50'].map((text) => amountOf(text)?.toFixed())).toEqual([
    undefined,
    undefined,
    '0.335',
    '1.25',
    '1250.5',
  ])
})

it('a length may be a part of a minute, and may stand in front of its price', () => {
  expect(['1/2 min', '½ minute', '1/2 hour'].map(readSeconds)).toEqual([30, 30, undefined])
  expect([':30 Rate', '60 sec cost', '2 Rate'].map(named)).toEqual([
    { role: 'rate', seconds: 30 },
    { role: 'money', seconds: 60 },
    undefined,
  ])
})

describe('weeks that are named by their numbers', () => {
  const grid = (flight: string, first: string, second: string) =>
    taken([[flight], [...HEAD.slice(0, 5), first, second, 'Spots', 'Cost'], NEWS])
  const rows = (flight: string, ...weeks: string[]) =>
    taken([
      [flight],
      ['Week', 'Program', 'Days', 'Time', 'Len', 'Spots', 'Rate'],
      ...weeks.map((week) => [week, 'News', 'M-F', '6a-7a', '30', '2', '$10.00']),
    ])

  it('are those of the calendar within the flight, or count a flight of just as many', () => {
    expect(grid('Flight: 6/3/2030 - 6/16/2030', 'Wk 1', 'Wk 2')).toEqual([NEWS_TAKEN])
    expect(grid('Flight: 6/3/2030 - 6/16/2030', 'Week 23', 'Week 24')).toEqual([NEWS_TAKEN])
    expect(rows('Flight: 6/3/2030 - 6/16/2030', '1', '2')).toEqual(['2030-06-03 2x10', '2030-06-10 2x10'])
  })

  it('are asked for any other flight, and without one where they begin with the first', () => {
    expect(grid('Flight: 6/3/2030 - 6/23/2030', 'Wk 1', 'Wk 2')).toEqual(['asked'])
    expect(grid('Flight: 6/5/2030 - 6/16/2030', 'Wk 1', 'Wk 2')).toEqual(['asked'])
    expect(grid('', 'Wk 1', 'Wk 2')).toEqual(['asked'])
    expect(rows('Flight: 6/3/2030 - 6/23/2030', '1', '2')).toEqual(['asked', 'asked'])
    expect(rows('', '1', '2')).toEqual(['asked', 'asked'])
    expect(rows('', '23', '24')).toEqual(['2030-06-03 2x10', '2030-06-10 2x10'])
  })
})

it('a program may have the name of a fee', () => {
  const named = (program: string) => taken([FLIGHT, HEAD, [program, ...NEWS.slice(1)], TALK])
  expect(named("America's Got Talent")).toEqual([NEWS_TAKEN, TALK_TAKEN])
  expect(named('Credit Check')).toEqual([NEWS_TAKEN, TALK_TAKEN])
  expect(taken([FLIGHT, HEAD, NEWS, TALK, ['Talent', '', '', '', '', '', '', '', '$50.00']])).toEqual([NEWS_TAKEN, TALK_TAKEN])
})

it('spots a week of rows without dates air in a flight of as many weeks', () => {
  const order = (flight: string) =>
    taken([
      [flight],
      ['Program', 'Days', 'Time', 'Len', 'Spots Per Week', 'Weeks', 'Rate', 'Total'],
      ['News', 'M-F', '6a-7a', '30', '2', '2', '$10.00', '$40.00'],
    ])
  expect(order('Flight: 6/3/2030 - 6/16/2030')).toEqual(['2030-06-03 2x10, 2030-06-10 2x10'])
  expect(order('Flight: 6/3/2030 - 6/23/2030')).toEqual(['asked'])
})

it('units beside money below one date are those of the date', () => {
  const head = ['Program', 'Days', 'Time', 'Len', 'Rate', '6/3', '', '6/10', '', 'Spots', 'Cost']
  const below = ['', '', '', '', '', 'Spots', 'Cost', 'Spots', 'Cost', '', '']
  const merges = [5, 7].map((startCol) => ({ startRow: 1, endRow: 1, startCol, endCol: startCol + 1 }))
  expect(
    taken([FLIGHT, head, below, ['News', 'M-F', '6a-7a', '30', '$10.00', '2', '$20.00', '1', '$10.00', '3', '$30.00']], merges),
  ).toEqual([NEWS_TAKEN])
})

describe('a price', () => {
  it('that stands for several rows is of none of them, unless each comes to its own cost', () => {
    const merge = [{ startRow: 2, endRow: 3, startCol: 4, endCol: 4 }]
    expect(taken([FLIGHT, HEAD.slice(0, 8), NEWS.slice(0, 8), [...TALK.slice(0, 4), '', ...TALK.slice(5, 8)]], merge)).toEqual([
      'asked',
      'asked',
    ])
    const same = ['Talk', 'M-F', '7a-8a', '30', '', '1', '1', '2', '$20.00']
    expect(taken([FLIGHT, HEAD, NEWS, same], merge)).toEqual([NEWS_TAKEN, '2030-06-03 1x10, 2030-06-10 1x10'])
  })

  it('below zero is asked', () => {
    expect(taken([FLIGHT, HEAD, NEWS, ['Talk', 'M-F', '7a-8a', '30', '-$20.00', '1', '1', '2', '-$40.00']])).toEqual([NEWS_TAKEN, 'asked'])
  })
})

describe('parts of a document', () => {
  const sheet = (station: string, line = NEWS): Rows => [[`Station: ${station}`], FLIGHT, HEAD, line]
  const questions = (sheets: Record<string, Rows>) => read(sheets).questions.map(({ kind, message }) => `${kind}: ${message.split('.')[0]}`)

  it('with equal headings are all ordered if each is of a station of its own', () => {
    expect(questions({ A: sheet('WAAA'), B: sheet('WBBB') })).toEqual([])
    expect(questions({ A: sheet('WAAA'), B: sheet('WAAA', TALK) })[0]).toBe('option: Several sheets have the same headings')
  })

  it('are asked where they repeat each other, though in other tables', () => {
    const weekly = (week: string, line: readonly string[], units: string) => [week, ...line.slice(0, 4), units, line[4] as string]
    const rows: Rows = [
      ['Station: WAAA'],
      ['Week Of', 'Program', 'Days', 'Time', 'Len', 'Spots', 'Rate'],
      ...[
        weekly('2030-06-03', NEWS, '2'),
        weekly('2030-06-10', NEWS, '1'),
        weekly('2030-06-03', TALK, '1'),
        weekly('2030-06-10', TALK, '1'),
      ],
    ]
    expect(questions({ A: [...sheet('WAAA'), TALK], B: rows })[0]).toBe('option: The document has its lines twice')
    const other = rows.map((row, at) => (at === 2 ? weekly('2030-06-03', NEWS, '7') : row))
    expect(questions({ A: [...sheet('WAAA'), TALK], B: other })[0]).toBe('option: The document has its lines twice')
    // The zones of one plan may have the same lines, which a total sums.
    const zones: Rows = [FLIGHT, HEAD, NEWS, TALK, [], HEAD, NEWS, TALK, ['Grand Total', '', '', '', '', '6', '4', '10', '$140.00']]
    expect(questions({ A: zones })).toEqual([])
  })

  it('are asked where they are named as plans, unless a total sums them', () => {
    const plans = (...last: Rows): Rows => [FLIGHT, ['Plan A'], HEAD, NEWS, [], ['Plan B'], HEAD, TALK, ...last]
    expect(questions({ A: plans() })[0]).toBe('option: The document names plan a and plan b')
    expect(questions({ A: plans(['Grand Total', '', '', '', '', '3', '2', '5', '$70.00']) })).toEqual([])
    expect(questions({ A: [['The station may at its option a spot move'], ['Package 1'], FLIGHT, HEAD, NEWS] })).toEqual([])
  })
})

describe('days and windows', () => {
  const lines = (rows: Rows) => read({ Buy: rows }).lines.map(({ days, start, end, program }) => [days?.join(' '), start, end, program])

  it('are those of their own columns, whatever a title says', () => {
    const own = (days: string, time: string) => lines([FLIGHT, HEAD, ['Mon Night News 10p-1035p', days, time, ...NEWS.slice(3)], TALK])[0]
    expect(own('M-F', '6a-7a')?.slice(0, 3)).toEqual(['Mon Tue Wed Thu Fri', '06:00', '07:00'])
    expect(own('', '6a-7a')?.slice(0, 3)).toEqual([undefined, '06:00', '07:00'])
    expect(own('M-F', '')?.slice(0, 3)).toEqual(['Mon Tue Wed Thu Fri', undefined, undefined])
  })

  it('are found by what stands in a column whose heading nobody knows', () => {
    const head = ['Program', 'Jours', 'Heures', 'Durée', ...HEAD.slice(4)]
    const row = (line: readonly string[]) => [...line.slice(0, 3), ':30', ...line.slice(4)]
    expect(taken([FLIGHT, head, row(NEWS), row(TALK)])).toEqual([NEWS_TAKEN, TALK_TAKEN])
    expect(lines([FLIGHT, head, row(NEWS), row(TALK)])[0]).toEqual(['Mon Tue Wed Thu Fri', '06:00', '07:00', 'News'])
  })

  it('of a row are its own, though a title above names the rows below it', () => {
    const marks = ['X', 'X', 'X', 'X', 'X', '', '']
    const head = ['Program', 'Time', 'M', 'T', 'W', 'T', 'F', 'S', 'S', ...HEAD.slice(3)]
    const row = (program: string, time: string, line: readonly string[]) => [program, time, ...marks, ...line.slice(3)]
    expect(lines([FLIGHT, head, row('News', '6a-7a', NEWS), row('', '7a-8a', TALK)]).map((line) => line[1])).toEqual(['06:00', '07:00'])
  })

  it('that stand behind a title with a window in it are those of the line', () => {
    const head = ['Program', ...HEAD.slice(3)]
    expect(lines([FLIGHT, head, ['News 10p-1035p TuTh 4p-6p', ...NEWS.slice(3)]])[0]).toEqual([
      'Tue Thu',
      '16:00',
      '18:00',
      'News 10p-1035p',
    ])
  })
})

it('the cost of a row may be named by any word for money, or by none', () => {
  const changed = (heading: string) =>
    taken([FLIGHT, [...HEAD.slice(0, 8), heading], [...NEWS.slice(0, 8), '$31.00'], TALK, ['Late', ...TALK.slice(1)]])
  for (const heading of ['Total Investment', 'Total Spend', 'Zzz']) expect(changed(heading)).toEqual(['asked', TALK_TAKEN, TALK_TAKEN])
})

describe('a list without orders', () => {
  it('is refused by its kind', () => {
    const refusal = (rows: Rows) => read({ Buy: rows }).refusal
    const invoice = ['Date', 'Day', 'Time', 'Length', 'ISCI', 'Rate']
    expect(refusal([['INVOICE'], invoice, ['6/3/2030', 'Mon', '6:23 AM', ':30', 'EX1', '$10.00']])).toBe('invoice')
    expect(
      refusal([
        ['RATE CARD'],
        ['Daypart', 'Days', 'Time', 'Program', ':30 Rate', ':60 Rate'],
        ['EM', 'M-F', '6a-7a', 'News', '$10', '$20'],
      ]),
    ).toBe('no order')
  })

  it('which sums up the lines of another table is left out', () => {
    const recap = [
      ['Daypart', 'Spots', 'Cost'],
      ['EM', '3', '$30.00'],
      ['DA', '2', '$40.00'],
    ]
    expect(taken([FLIGHT, HEAD, NEWS, TALK, [], ...recap])).toEqual([NEWS_TAKEN, TALK_TAKEN])
  })
})

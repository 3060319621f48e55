import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ReadDocument } from '../../../src/domain/document/reading.ts'
import type { Table, TableCell } from '../../../src/domain/document/table.ts'
import { readCount } from '../../../src/domain/document/values/amounts.ts'
import { documentOf, sheetOfRows } from '../../support/orders/readTables.ts'

type Merge = { startRow: number; startCol: number; endRow: number; endCol: number }

const grid = (rows: string[][], merges: Merge[] = []) => documentOf([sheetOfRows(rows, '', merges)])
/** Rows of a page, each below the one before. */
const pageOf = (rows: readonly (readonly TableCell[])[]) =>
  documentOf([{ layout: 'page', texts: rows.flatMap((row, y) => row.map((cell) => ({ ...cell, y: y * 14, size: 9 }))) }])
const fields = ({ doubts }: ReadDocument) => doubts.map((of) => of.map(({ field }) => field))
const TORN = ['product_id', 'period', 'units', 'rate']

const HEAD = ['Program', 'Week', 'Length', 'Spots', 'Rate', '']
const PRIME = ['Prime', '2030-W23', '30', '10', '100', '']

describe('a row of a grid', () => {
  const doubtsOf = (rows: string[][], merges?: Merge[]) => fields(grid(rows, merges) as ReadDocument)

  it('is certain where each heading has its cell', () => {
    expect(doubtsOf([HEAD, PRIME])).toEqual([[]])
  })

  it('leaves everything in doubt with a cell under no heading', () => {
    const read = grid([HEAD, ['Prime', '2030-W23', '30', '10', '100', 'BONUS'], PRIME]) as ReadDocument
    expect(fields(read)).toEqual([TORN, []])
    expect(read.doubts[0]?.[0]?.message).toContain('"BONUS" (F2) is under no heading')
  })

  it('leaves everything in doubt with two cells under one heading, or one cell under two', () => {
    const across = (startRow: number, startCol: number) => ({ startRow, startCol, endRow: startRow, endCol: startCol + 1 })
    expect(
      doubtsOf(
        [
          ['Program', 'Week', 'Spots', '', 'Rate'],
          ['Prime', '2030-W23', '10', '4', '100'],
        ],
        [across(0, 2)],
      ),
    ).toEqual([TORN])
    expect(doubtsOf([HEAD, ['Prime', '2030-W23', '30', '', '100', '']], [across(1, 2)])).toEqual([TORN])
    const weeks = ['Program', 'Rate', '6/3', '6/10', '6/17']
    expect(doubtsOf([weeks, ['Prime', '100', '10', '', '4']], [across(1, 2)])).toEqual([TORN, TORN])
    expect(doubtsOf([weeks, ['Prime', '100', '10', '', '4']])).toEqual([[], []])
  })

  it.each([
    ['Length', 'spot_length'],
    ['Buy type', 'buy_type'],
    ['Rate class', 'market_class'],
    ['Category', 'advertiser_class'],
    ['Tier', 'clearance_tier'],
    ['Station', 'product_id'],
  ])('leaves in doubt what it has nothing for: %s', (heading, field) => {
    const head = ['Program', 'Week', heading, 'Spots', 'Rate']
    expect(doubtsOf([head, ['Prime', '2030-W23', '', '10', '100']])).toEqual([[field]])
  })

  it('leaves its period in doubt without an end', () => {
    const head = ['Program', 'Start', 'End', 'Spots', 'Rate']
    expect(doubtsOf([head, ['Prime', '6/3/2030', '', '10', '100'], ['Prime', '6/3/2030', '6/9/2030', '10', '100']])).toEqual([
      ['period'],
      [],
    ])
  })

  it('is certain with what is stated once: above the table, in the row above, or in another column', () => {
    const above = ['Length: :30', '', '', '', '', '']
    expect(doubtsOf([above, HEAD, ['Prime', '2030-W23', '', '10', '100', '']])).toEqual([[]])
    const head = ['Station', 'Program', 'Week', 'Spots', 'Rate', 'CPM', 'Notes']
    const first = ['CBL', 'Prime', '2030-W23', '10', '100', '', '']
    expect(doubtsOf([head, first, ['', '', '2030-W24', '4', '', '24.50', 'late']])).toEqual([[], []])
  })

  it('leaves in doubt what two columns state differently', () => {
    const head = ['Program', 'Week', 'Spots', 'Units', 'Rate', 'Unit cost']
    const rows = [
      ['Prime', '2030-W23', '10', '10', '100', '100'],
      ['Prime', '2030-W23', '10', '4', '100', '90'],
    ]
    expect(doubtsOf([head, ...rows])).toEqual([[], ['units', 'rate']])
  })

  it('is numbered by a column of numbers or items, which are no units and no product', () => {
    const read = grid([
      ['#', 'Item', 'Program', 'Week', 'Spots', 'Rate'],
      ['1', '7', 'Prime', '2030-W23', '10', '100'],
    ]) as ReadDocument
    expect(read).toMatchObject({ lines: [{ product: { read: 'Prime' }, units: { read: '10' } }], doubts: [[]] })
  })

  it('leaves its units in doubt where they are merged with those of the next row', () => {
    const merge = { startRow: 1, startCol: 3, endRow: 2, endCol: 3 }
    const next = ['Prime', '2030-W24', '30', '', '100', '']
    expect(doubtsOf([HEAD, PRIME, next], [merge])).toEqual([['units'], ['units']])
    expect(doubtsOf([HEAD, PRIME, next], [{ ...merge, startCol: 4, endCol: 4 }])).toEqual([[], ['units']])
  })
})

describe('a row of a page', () => {
  const CHARACTER = 5
  const cell = (text: string, from: number, to: number, align: string): TableCell => {
    const width = text.length * CHARACTER
    const left = { left: from, right: to - width, center: (from + to - width) / 2 }[align] as number
    return { text, at: 'page 1', left, right: left + width }
  }
  const at = (text: string, left: number) => cell(text, left, 0, 'left')
  it('is no part of the header above it, though it has a date beside a heading', () => {
    const head = [at('Week of', 80), at('Program', 190), at('6/17', 227), at('Spots', 275), at('Rate', 323)]
    const row = [at('6/3/2030', 40), at('Prime', 165), at('20', 249), at('4', 302), at('50', 345)]
    expect(pageOf([head, row])?.lines).toHaveLength(1)
  })

  const page = (...rows: TableCell[][]) => pageOf(rows) as ReadDocument
  const GRID = [at('Program', 40), at('Rate', 140), at('6/3', 200), at('6/10', 260), at('6/17', 320)]
  const WHOLE = [at('Prime', 40), at('100', 140), at('4', 200), at('5', 260), at('6', 320)]

  it('leaves everything in doubt with a number under headings that have run together, or with counts that have', () => {
    const together = [at('Program', 40), at('Rate', 140), at('6/3', 200), at('6/10 6/17', 260), at('6/24', 360)]
    expect(fields(page(together, [at('Prime', 40), at('100', 140), at('4', 200), at('5', 285)]))).toEqual([TORN, TORN])
    expect(fields(page(together, [at('Prime', 40), at('100', 140), at('4', 200), at('7', 360)]))).toEqual([TORN, TORN]) // nothing confirms the units
    expect(fields(page(GRID, WHOLE, [at('Late', 40), at('100', 140), at('4 5', 200), at('6', 320)]))).toEqual([
      TORN,
      TORN,
      TORN,
      TORN,
      TORN,
    ])
  })

  it('is not passed over where its period has run together with the cell beside it', () => {
    const head = [at('Program', 40), at('Week', 140), at('Spots', 220), at('Rate', 280)]
    const list = page(
      head,
      [at('Prime', 40), at('2030-W23', 140), at('4', 220), at('100', 280)],
      [at('Late News 2030-W24', 90), at('4', 410), at('late', 460)],
    )
    expect(fields(list)).toEqual([[], TORN])
  })

  it.each([
    ['the date and the number of a page', [at('6/3/2030', 200), at('Page 1 of 2', 260)]],
    ['the head of a page', [at('Order #', 600), at('12345', 660), at('Date', 720), at('6/3/2030', 780)]],
    ['a sum with its labels', [at('Gross', 600), at('27600', 660), at('Net', 720), at('23460', 780)]],
  ])('is none if it is %s', (_, row) => expect(page(GRID, WHOLE, row).lines).toHaveLength(3))

  const KINDS = [
    { heading: 'Program', of: () => 'Prime' },
    { heading: 'Week of', of: () => '6/3/2030' },
    { heading: 'Length', of: (n: number) => String(15 + (n % 3) * 15) },
    { heading: 'Spots', of: (n: number) => String(1 + (n % 40)) },
    { heading: 'Rate', of: (n: number) => String(50 + (n % 900)) },
    { heading: 'Demo', of: (n: number) => String(18 + (n % 30)) },
    { heading: 'Notes', of: () => 'as agreed' },
    { heading: '6/3', of: (n: number) => String(1 + (n % 9)) },
    { heading: '6/10', of: (n: number) => String(10 + (n % 9)) },
    { heading: '6/17', of: (n: number) => String(20 + (n % 9)) },
    { heading: 'Rating', of: (n: number) => String(60 + n) },
  ]
  const align = fc.constantFrom('left', 'right', 'center')
  const column = fc.record({ width: fc.integer({ min: 46, max: 150 }), gap: fc.integer({ min: 2, max: 30 }), heading: align, cells: align })
  const sheetOf = (kinds: readonly number[], minLength: number) =>
    fc.record({
      order: fc.shuffledSubarray([...kinds], { minLength }),
      columns: fc.array(column, { minLength: KINDS.length, maxLength: KINDS.length }),
      rows: fc.array(fc.array(fc.record({ n: fc.nat(99), blank: fc.nat(11) }), { minLength: KINDS.length, maxLength: KINDS.length }), {
        minLength: 1,
        maxLength: 4,
      }),
    })
  type Sheet = typeof sheetOf extends (...args: never[]) => fc.Arbitrary<infer S> ? S : never
  const laidOut = ({ order, columns, rows }: Sheet) => {
    let x = 40
    const places = order.map((kind, at) => {
      const { width, gap, heading, cells } = columns[at] as (typeof columns)[number]
      const from = x
      x += width + gap
      return { kind, from, to: from + width, heading, cells }
    })
    const head = places.map(({ kind, from, to, heading }) => cell(KINDS[kind]?.heading ?? '', from, to, heading))
    const stated = rows.map((row) =>
      places.map(({ kind, from, to, cells }, at) => {
        const { n, blank } = row[at] as (typeof row)[number]
        const text = blank === 0 ? '' : (KINDS[kind]?.of(n) ?? '')
        return { heading: KINDS[kind]?.heading, text, cell: cell(text, from, to, cells) }
      }),
    )
    const table: Table = {
      layout: 'page',
      rows: [head, ...stated.map((row) => row.filter(({ text }) => text !== '').map(({ cell: one }) => one))],
    }
    return { head, table, truths: stated.map((row) => Object.fromEntries(row.map(({ heading, text }) => [heading, text]))) }
  }
  const ALL = KINDS.map((_, index) => index)
  const isDate = (kind: number) => /\d/.test(KINDS[kind]?.heading ?? '')

  it('is read as it is, or left in doubt, wherever its headings and its cells stand in their columns', () => {
    let certain = 0
    fc.assert(
      fc.property(sheetOf(ALL, 8), (sheet) => {
        const { table, truths } = laidOut(sheet)
        const read = pageOf(table.rows)
        read?.lines.forEach((line, index) => {
          const { product, period, units: spots, unit_cost } = line
          const isWhole = product && period && unit_cost && readCount(spots?.read ?? '') !== undefined
          if (!isWhole || read.doubts[index]?.length !== 0) return
          certain += 1
          const week = line.period?.read ?? ''
          const isTrue = truths.some((truth) => {
            const units = truth[week] ?? truth.Spots
            return (
              (line.spot_length?.read ?? '') === (truth.Length ?? '') &&
              (line.unit_cost?.read ?? '') === (truth.Rate ?? '') &&
              (line.units?.read ?? '') === (units ?? '')
            )
          })
          if (!isTrue) throw new Error(JSON.stringify({ line, table }))
        })
      }),
      { numRuns: 3_000 },
    )
    expect(certain).toBeGreaterThan(10)
  })

  it.each([
    ['a list', ALL.filter((kind) => !isDate(kind)), ['Program', 'Week of', 'Spots', 'Rate']],
    ['a grid', ALL.filter((kind) => KINDS[kind]?.heading !== 'Week of'), ['Program', 'Spots', 'Rate', '6/3', '6/10', '6/17']],
  ])('of %s is never passed over if it is one of a line', (_, kinds, members) => {
    fc.assert(
      fc.property(sheetOf(kinds, kinds.length), (sheet) => {
        const { head, table, truths } = laidOut(sheet)
        const below = head.map(({ left }, at) => cell(KINDS[sheet.order[at] as number]?.of(1) ?? '', left, 0, 'left'))
        const linesWith = (...rows: TableCell[][]) => {
          const read = pageOf([head, below, ...rows])
          // A row of which nobody can tell what it is puts every line in doubt.
          return read?.doubts.every((doubts) => doubts.length > 0) === true ? 'all in doubt' : read?.lines.length
        }
        const without = linesWith()
        if (without === undefined) return // its header is not understood, so that the document is refused
        truths.forEach((truth, index) => {
          const row = table.rows[index + 1] as TableCell[]
          if (members.some((member) => truth[member] === '')) return
          const among = linesWith(row)
          if (among === without && among !== 'all in doubt') throw new Error(JSON.stringify({ head, row }))
        })
      }),
      { numRuns: 1_000 },
    )
  })
})

import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Moment } from '../../../src/adapters/tables/rowReader/moment.ts'
import type { Cell, TableRow } from '../../../src/adapters/tables/rowReader/table.ts'
import { DROP_FILE_SHAPES } from '../../../src/contract/dropColumns.ts'
import { strictJson } from '../../../src/domain/strictJson.ts'
import { tableEntries } from '../../../src/operations/drops/reader/tableEntries.ts'

const period = { grain: 'week', start: '2030-W23' }

/** Tables in which no cell is of a form that the others decide. */
const READING = {
  reopen: () => {
    throw new Error('a table was read twice')
  },
  alive: () => undefined,
}

it.each<[string, Cell]>([
  ['a text', { source: 'a\u0000' }],
  ['a text two levels down', { P2: { per_spot: 'a\u0000' } }],
  ['a name', { 'a\u0000': 1 }],
  ['a list', ['a', 'a\u0000']],
])('a row is refused for U+0000 in %s of a nested column', async (_, impressions) => {
  async function* rows() {
    yield [
      { row: 1, cells: ['prime', period, 'available', impressions] },
      { row: 2, cells: ['prime', period, 'available', null] },
    ]
  }
  const table = { headerRow: 0, header: ['product_id', 'period', 'state', 'impressions'], isNested: true, rows: rows() }
  const entries = []
  for await (const some of tableEntries(table, DROP_FILE_SHAPES.avails, () => undefined, READING)) entries.push(...some)
  expect(entries.map(({ row, error }) => [row, error?.error_code])).toEqual([
    [1, 'INVALID_ENTRY'],
    [2, undefined],
  ])
})

/** Lists and objects in turn, that many in one another. */
const nested = (levels: number): Cell =>
  Array.from({ length: levels }).reduce<unknown>((inner, _, level) => (level % 2 === 0 ? { a: inner } : [inner]), 1) as Cell

it('a row is refused whose entry is nested deeper than 32 levels', async () => {
  async function* rows() {
    yield [31, 32].map((levels, index) => ({ row: index + 1, cells: ['prime', period, 'available', nested(levels)] }))
  }
  const table = { headerRow: 0, header: ['product_id', 'period', 'state', 'impressions'], isNested: true, rows: rows() }
  const entries = []
  for await (const some of tableEntries(table, DROP_FILE_SHAPES.avails, () => undefined, READING)) entries.push(...some)
  const refused = { row: 2, error_code: 'INVALID_ENTRY', message: 'impressions is nested deeper than the 32 levels of an entry.' }
  expect(entries.map(({ error }) => error)).toEqual([undefined, refused])
  // What is taken could be sent as JSON, too.
  const sent = entries[0]?.entry
  expect(strictJson(Buffer.from(JSON.stringify(sent)))).toEqual(sent)
})

const header = ['product_id', 'period.grain', 'Period.Start', 'state', 'spots.available', 'impressions.source', 'impressions.HH.per_spot']
const cells = fc.tuple(
  fc.constantFrom<Cell>('prime', ' prime ', 'late', '', 'a\u0000', 7),
  fc.constantFrom<Cell>('week', 'day', null),
  fc.constantFrom<Cell>('2030-W23', '2030-W24', '', undefined, new Moment({ date: '2030-06-05' }), 'a\u0000'),
  fc.constantFrom<Cell>('available', 'projected', true),
  fc.constantFrom<Cell>(5, '5', '5.0', '1,0,0', 5n, '', null),
  fc.constantFrom<Cell>('s', '', null),
  fc.constantFrom<Cell>('', 10, '10', '\u0000'),
)

async function entriesIn(rows: readonly TableRow[]) {
  async function* batches() {
    yield rows
  }
  const entries = []
  for await (const some of tableEntries({ headerRow: 0, header, rows: batches() }, DROP_FILE_SHAPES.avails, () => undefined, READING))
    entries.push(...some)
  return entries.map(({ row, entry, error }) => ({ row, entry, error }))
}

it('a row is read the same alone and among others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 20 }), async (list) => {
      const rows = list.map((one, index) => ({ row: index + 1, cells: one }))
      const alone = await Promise.all(rows.map((row) => entriesIn([row])))
      expect(await entriesIn(rows)).toEqual(alone.flat())
    }),
  )
})

it('rows share the values of members with the same cells', async () => {
  const [first, second, third] = await entriesIn([
    { row: 1, cells: ['prime', 'week', '2030-W23', 'available', 5, '', ''] },
    { row: 2, cells: ['late', 'week', '2030-W24', 'available', 5, '', ''] },
    { row: 3, cells: ['prime', 'week', '2030-W23', 'available', 6, '', ''] },
  ])
  const periodOf = (read: typeof first) => (read as { entry: { period: unknown } }).entry.period
  expect(periodOf(third)).toBe(periodOf(first))
  expect(periodOf(second)).not.toEqual(periodOf(first))
})

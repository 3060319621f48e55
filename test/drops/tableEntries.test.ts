import { expect, it } from '@jest/globals'
import type { Cell } from '../../src/adapters/rowReader/table.ts'
import { DROP_FILE_SHAPES } from '../../src/contract/dropColumns.ts'
import { tableEntries } from '../../src/drops/reader/tableEntries.ts'

const period = { grain: 'week', start: '2030-W23' }

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
  for await (const some of tableEntries(table, DROP_FILE_SHAPES.avails, () => undefined)) entries.push(...some)
  expect(entries.map(({ row, error }) => [row, error?.error_code])).toEqual([
    [1, 'INVALID_ENTRY'],
    [2, undefined],
  ])
})

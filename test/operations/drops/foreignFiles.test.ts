import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { COMPRESSORS } from '../../../src/adapters/tables/rowReader/parquetColumns.ts'
import type { DropFileType } from '../../../src/contract/vocabulary/drops.ts'
import { type FilesRead, readFiles } from '../../support/files/readFiles.ts'

const PRODUCTS = ['prime', 'late'].map((product_id) => ({
  product_id,
  buy_types: ['preemptible' as const],
  grains: ['day' as const, 'week' as const],
}))
const EFFECTIVE = { start: '2030-06-03', end: '2030-09-01' }

/** Reads a file that another program made (test/support/files/foreign/makeFiles.py). */
async function readForeign(type: DropFileType, name: string): Promise<FilesRead> {
  const bytes = await readFile(new URL(`../../support/files/foreign/${name}`, import.meta.url))
  return readFiles({ type, products: PRODUCTS, effective: EFFECTIVE }, { [name]: bytes })
}

const bodies = ({ lines }: FilesRead) => lines.map((line) => JSON.parse(line.split('\t')[5] as string) as Record<string, unknown>)
const rows = ({ lines }: FilesRead) => lines.map((line) => Number(line.split('\t')[0]))

describe('avails of pandas and DuckDB', () => {
  const expected = [
    {
      product_id: 'prime',
      period: { grain: 'day', start: '2030-06-05' },
      state: 'available',
      sellout_level: 0.25,
      spots: { available: 10 },
    },
    { product_id: 'prime', period: { grain: 'week', start: '2030-W23' }, state: 'projected', spots: { available: 0 } },
    { product_id: 'late', period: { grain: 'week', start: '2030-W23' }, state: 'available', sellout_level: 1, spots: { available: 7 } },
  ]
  it.each([
    'pandas.csv',
    'pandas.xlsx',
    'pandas-snappy.parquet',
    'pandas-zstd.parquet',
    'pandas-gzip.parquet',
    'pandas-brotli.parquet',
    'pandas-lz4.parquet',
    'duckdb.csv',
    'duckdb.parquet',
    'duckdb-zstd.parquet',
  ])('are read from %s', async (name) => {
    const read = await readForeign('avails', name)
    expect(bodies(read)).toEqual(expected)
    expect(read.errors).toEqual([])
    expect(rows(read)).toEqual(name.endsWith('parquet') ? [1, 2, 3] : [2, 3, 4])
  })
})

describe('a parquet file', () => {
  it('has decimals exactly, and timestamps and dates as text', async () => {
    const { entries, heads, errors } = await readForeign('rate_cards', 'decimals.parquet')
    expect(errors).toEqual([])
    expect(entries.map(({ entry }) => (entry as { gross_rate_unit: number }).gross_rate_unit)).toEqual([4200.1, 0.05, 99_999_999_999.99])
    expect(entries[0]).toMatchObject({ row: 1, commit: 0, entry: { window: { closes: '2030-06-01T12:30:00.000Z' } } })
    expect(heads).toMatchObject([{ kind: 'commit', effective: { start: '2030-06-05', end: '2030-06-25' } }])
  })

  it('has the digits of a float32 that were meant', async () => {
    const { entries, errors } = await readForeign('rate_cards', 'float32.parquet')
    expect(errors).toEqual([])
    expect(entries.map(({ entry }) => (entry as { gross_rate_unit: number }).gross_rate_unit)).toEqual([0.1, 1.5, 3])
  })

  it.each(Object.entries(COMPRESSORS))('may have pages of %s without any byte, as Spark writes those without a value', (_, inflate) => {
    expect(inflate(new Uint8Array(0), 0)).toEqual(new Uint8Array(0))
  })

  it('may have structs and lists in the shape of the API', async () => {
    const { entries, errors } = await readForeign('catalog', 'nested.parquet')
    expect(errors).toEqual([])
    expect(entries.map(({ entry }) => entry)).toMatchObject([
      { buy_types: ['preemptible', 'fixed_position'], definition: { windows: [{ days: ['Mon', 'Tue'], start: '06:00', end: '09:30' }] } },
      { definition: { title: 'The film', occurrences: [{ date: '2030-06-05', start: '20:00', end: '22:00' }] } },
    ])
  })
})

describe('a workbook', () => {
  it.each(['dates.xlsx', 'dates-1904.xlsx'])('has dates and times by column: %s', async (name) => {
    const { entries, errors } = await readForeign('catalog', name)
    expect(errors).toEqual([])
    expect(entries).toMatchObject([
      {
        row: 2,
        entry: {
          definition: { days: ['Mon', 'Tue'], start: '19:00', end: '22:30' },
          effective: { start: '2030-06-05', end: '2030-09-01' },
          external_ref: '4711',
        },
      },
    ])
  })

  it.each(['libreoffice.xlsx', 'libreoffice.csv'])('is read as LibreOffice saves it: %s', async (name) => {
    const { entries, errors, warnings } = await readForeign('catalog', name)
    expect([errors, warnings]).toEqual([[], []])
    const alike = {
      buy_types: ['preemptible', 'non_preemptible'],
      definition: { selling_title: 'Prime', days: ['Mon', 'Tue'], start: '19:00', end: '22:30' },
      effective: { start: '2030-06-05', end: '2030-09-01' },
    }
    expect(entries).toMatchObject([
      { row: 2, entry: { ...alike, product_id: 'prime', external_ref: '4711' } },
      { row: 3, entry: { ...alike, product_id: 'late', external_ref: '2700' } },
    ])
  })

  it('with more sheets is read from the first', async () => {
    const read = await readForeign('avails', 'sheets.xlsx')
    expect(rows(read)).toEqual([2])
    expect(read.warnings).toEqual([
      { row: 0, code: 'MORE_SHEETS', message: 'The workbook has 2 visible sheets; only the first, Sheet, was read, and not Notes.' },
    ])
  })

  it.each([
    ['formulas.xlsx', 2, 'The formula in E2 is not calculated; open the workbook, calculate it and save it, or write the value itself.'],
    ['errors.xlsx', 2, 'A cell has the error #DIV/0!.'],
    ['beyond.xlsx', 3, 'The row has a cell to the right of the 5 columns of the header.'],
  ])('has a row that is refused: %s', async (name, row, message) => {
    const read = await readForeign('avails', name)
    expect(read.errors).toEqual([{ row, error_code: 'INVALID_ENTRY', message }])
    expect(rows(read)).toEqual([row + 1])
  })

  it('shows the value of merged cells in the first', async () => {
    const read = await readForeign('avails', 'merged.xlsx')
    expect(rows(read)).toEqual([2])
    expect(read.errors).toMatchObject([{ row: 3, field: 'product_id', message: 'product_id is required' }])
  })

  it('with macros is unreadable', async () => {
    const { ends } = await readForeign('avails', 'macros.xlsx')
    expect(ends).toMatchObject([{ kind: 'unreadable', error: { message: expect.stringContaining('it has macros') } }])
  })
})

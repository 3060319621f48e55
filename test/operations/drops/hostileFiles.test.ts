import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { writeXlsx } from 'hucre/xlsx'
import type { SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { DROP_FORMATS } from '../../../src/contract/vocabulary/drops.ts'
import { type FileApart, type FilesRead, PRIME, readApart, readFiles } from '../../support/files/readFiles.ts'
import { tableOf } from '../../support/files/tables.ts'
import { zipOf } from '../../support/files/zip.ts'

const avail = (week: number, more: object = {}) => ({
  product_id: 'prime',
  period: { grain: 'week', start: `2030-W${week}` },
  state: 'available',
  spots: { available: 1 },
  ...more,
})
const sheet = (rows: unknown[][]) => writeXlsx({ sheets: [{ name: 'Rows', rows: rows as string[][] }] })
const flat = (week: number) => ({
  product_id: 'prime',
  'period.grain': 'week',
  'period.start': `2030-W${week}`,
  state: 'available',
  'spots.available': 1,
})
const read = (name: string, content: string | Uint8Array) => readFiles({ type: 'avails', products: [PRIME] }, { [name]: content })
/** Reads files of avails that have one name and are read apart from each other. */
const readEach = (name: string, contents: Readonly<Record<string, FileApart[1]>>) =>
  readApart({ type: 'avails' }, Object.fromEntries(Object.entries(contents).map(([what, content]) => [what, [name, content]])))
const rows = ({ lines }: FilesRead) => lines.map((line) => Number(line.split('\t')[0]))
const foreign = (name: string) => readFile(new URL(`../../support/files/foreign/${name}`, import.meta.url))

/** A workbook of one sheet with these rows, in its XML, and these shared strings. */
function workbookOf(sheetRows: readonly string[], strings: readonly string[] = []): Buffer {
  const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${related}/${type}" Target="${target}"/>`
  const relations = [relation('rId1', 'worksheet', 'worksheets/sheet1.xml'), relation('rId2', 'sharedStrings', 'sharedStrings.xml')]
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns:r="${related}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheetRows.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${strings.join('')}</sst>`,
  })
}

describe('a json file is read', () => {
  const CONTENTS = {
    'as the body of a PUT': JSON.stringify({ avails: [avail(23), avail(24)] }),
    'as an array of bodies': JSON.stringify([{ avails: [avail(23)] }, { avails: [avail(24)] }]),
    'as JSON lines': `\ufeff${JSON.stringify(avail(23))}\r\n\n${JSON.stringify(avail(24))}`,
    'as an array of entries': JSON.stringify([avail(23), avail(24)]),
    'as an indented body': JSON.stringify({ avails: [avail(23), avail(24)] }, null, 2),
  }
  const readOne = readEach('a.json', CONTENTS)
  it.each(Object.keys(CONTENTS))('%s', async (what) => {
    const all = await readOne(what)
    expect([rows(all), all.errors, all.warnings]).toEqual([[1, 2], [], []])
  })

  it('with warnings of members that are not known', async () => {
    const { warnings } = await read('a.json', JSON.stringify({ avails: [avail(23, { colour: 'red' })], colours: 3 }))
    expect(warnings.map(({ row, code }) => [row, code])).toEqual([
      [1, 'UNKNOWN_MEMBER'],
      [1, 'UNKNOWN_MEMBER'],
    ])
  })
})

describe('an entry of a json file is refused', () => {
  const ENTRIES: [string, string, string][] = [
    ['a repeated key', '{"state":"available","state":"available"}', 'occurs twice'],
    ['18 digits', `{"sellout_level":0.123456789012345678}`, 'The number 0.123456789012345678 at sellout_level has more than 17'],
    ['U+0000', '{"product_id":"\\u0000"}', 'U+0000'],
    ['40 levels', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`, 'nested deeper than 32 levels'],
    ['no object', '[1]', 'An entry must be an object'],
    ['a retired member', JSON.stringify(avail(24, { package: 'x' })), 'package'],
  ]
  const between = (entry: string) => `{"avails":[${JSON.stringify(avail(23))},${entry},${JSON.stringify(avail(25))}]}`
  const readOne = readEach('a.json', Object.fromEntries(ENTRIES.map(([what, entry]) => [what, between(entry)])))
  it.each(ENTRIES)('with %s', async (what, _, message) => {
    const all = await readOne(what)
    expect(all.errors).toMatchObject([{ row: 2, error_code: 'INVALID_ENTRY', message: expect.stringContaining(message) }])
    expect(rows(all)).toEqual([1, 3])
  })
})

describe('a json file', () => {
  it.each([
    ['a retired member', '{"package":"x","avails":[]}', 'package'],
    ['a repeated list', '{"avails":[],"avails":[]}', 'occurs twice'],
    ['a member of the wrong type', '{"taxonomy_version":5,"products":[]}', 'taxonomy_version'],
  ])('has a body that is refused once: %s', async (_, content, message) => {
    const type = content.includes('products') ? ('catalog' as const) : ('avails' as const)
    const { errors, ends } = await readFiles({ type }, { 'a.json': content })
    expect(errors).toMatchObject([{ row: 1, error_code: 'INVALID_HEADER', message: expect.stringContaining(message) }])
    expect(ends).toMatchObject([{ kind: 'fileEnd' }])
  })

  const BROKEN: [string, string, string][] = [
    ['is cut off', `{"avails":[${JSON.stringify(avail(23))},{"product_id":"pri`, 'entry 2 is cut off'],
    ['has no JSON', `{"avails":[${JSON.stringify(avail(23))},{"a":tru}]}`, 'entry 2 is not valid JSON'],
    ['lacks a comma', `{"avails":[${JSON.stringify(avail(23))} {}]}`, 'entry 2 is not valid JSON'],
    ['has a huge entry', `{"avails":[${JSON.stringify(avail(23))},"${'x'.repeat(5_000_000)}"]}`, 'entry 2 is larger than'],
  ]
  const readOne = readEach('a.json', Object.fromEntries(BROKEN.map(([what, content]) => [what, content])))
  it.each(BROKEN)('is unreadable where it %s', async (what, _, why) => {
    const all = await readOne(what)
    expect(rows(all)).toEqual([1])
    expect(all.ends).toMatchObject([{ kind: 'unreadable', error: { row: 2, message: expect.stringContaining(why) } }])
  })
})

describe('a file is unreadable', () => {
  const FILES: [string, string, string | Uint8Array][] = [
    ...DROP_FORMATS.map((format): [string, string, string] => [`a.${format}`, 'it is empty', '']),
    ['a.csv', 'it is a gzip file, not csv', Buffer.from('1f8b0800', 'hex')],
    ['a.json', 'it is a parquet file, not json', 'PAR1abcd'],
    ['a.json', 'it is a zip or xlsx file, not json', 'PK\u0003\u0004abcd'],
    ['a.xlsx', 'it is a pdf file, not xlsx', '%PDF-1.7'],
    ['a.xlsx', 'it is not a xlsx file', '{"avails":[]}'],
    ['a.parquet', 'it is an encrypted parquet file, not parquet', 'PAREabcd'],
    ['a.parquet', 'it is not a parquet file', 'product_id'],
  ]
  const readOne = readApart({ type: 'avails' }, Object.fromEntries(FILES.map(([name, why, content]) => [name + why, [name, content]])))
  it.each(FILES)('%s: %s', async (name, why) => {
    const { ends, lines, errors } = await readOne(name + why)
    const message = `${name} cannot be read: ${why}.`
    expect(ends).toEqual([{ kind: 'unreadable', file: 0, error: { row: 0, error_code: 'UNREADABLE_FILE', message } }])
    expect([lines, errors]).toEqual([[], []])
  })
})

it('a workbook with a header alone has no rows', async () => {
  const { ends, lines, errors } = await read('a.xlsx', await sheet([Object.keys(flat(23))]))
  expect(ends).toMatchObject([{ kind: 'fileEnd', file: 0 }])
  expect([lines, errors]).toEqual([[], []])
})

describe('a workbook is unreadable', () => {
  const BOOKS: [string, () => Uint8Array | Promise<Uint8Array>, string][] = [
    ['that is not one', () => zipOf({ 'a.txt': 'x' }), 'it is not a workbook'],
    ['that is no zip file', () => Buffer.from('product_id'), 'it is not a xlsx file'],
    ['that is encrypted', () => Buffer.from('d0cf11e0a1b11ae1d0cf11e0', 'hex'), 'it is an encrypted workbook or one of the old form xls'],
    [
      'that inflates to far more than it is',
      () => zipOf({ '[Content_Types].xml': 'x', 'xl/bomb.xml': Buffer.alloc(20_000_000) }),
      'too large',
    ],
    ['that claims to inflate to 2 GiB', () => zipOf({ '[Content_Types].xml': 'x', 'xl/bomb.xml': 'x' }, 2 ** 31), 'too large'],
    [
      'of 1,001 parts',
      () => zipOf(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`part${index}`, '']))),
      'more than 1000 parts',
    ],
    ['of 257 columns', () => sheet([Array(257).fill('x')]), 'row 1 has more than 256 columns'],
    ['that is cut off', async () => (await sheet([['product_id']])).subarray(0, 900), 'it is damaged'],
    ['that is a parquet file', () => foreign('nested.parquet'), 'it is a parquet file, not xlsx'],
  ]
  const readOne = readEach('a.xlsx', Object.fromEntries(BOOKS.map(([what, content]) => [what, content])))
  it.each(BOOKS)('%s', async (what, _, why) => {
    const { ends } = await readOne(what)
    expect(ends).toMatchObject([{ kind: 'unreadable', error: { error_code: 'UNREADABLE_FILE', message: expect.stringContaining(why) } }])
  })
})

it('a workbook that breaks at a row has the rows before it', async () => {
  const whole = [24, 25, 26].map((week) => Object.values(flat(week)))
  const { ends, lines } = await read('a.xlsx', await sheet([Object.keys(flat(23)), ...whole, Array(257).fill('x')]))
  expect(ends).toMatchObject([
    { kind: 'unreadable', error: { row: 5, message: expect.stringContaining('row 5 has more than 256 columns') } },
  ])
  expect(lines).toHaveLength(3)
})

it('a formula may come to an empty text; one without a stored value refuses its row', async () => {
  const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
  const head = Object.keys(flat(23)).map((name, column) => text(`${'ABCDE'[column]}1`, name))
  const row = (number: number, more: string) =>
    `<row r="${number}">${['prime', 'week', `2030-W${20 + number}`, 'available'].map((value, column) => text(`${'ABCD'[column]}${number}`, value)).join('')}<c r="E${number}"><v>1</v></c>${more}</row>`
  const formula = (at: string, attributes: string, value: string) => `<c r="${at}"${attributes}><f>IF(A1="x","","")</f>${value}</c>`
  const rowsOfSheet = [
    `<row r="1">${head.join('')}${text('F1', 'sellout_level')}</row>`,
    row(2, formula('F2', ' t="str"', '<v></v>')),
    row(3, formula('F3', '', '<v></v>')),
    row(4, formula('F4', ' t="str"', '')),
    row(5, formula('F5', ' s="1"', '<v>0.5</v>')),
  ]
  const all = await read('a.xlsx', workbookOf(rowsOfSheet))
  expect(all.errors.map(({ row, message }) => [row, message])).toEqual([
    [3, 'The formula in F3 is not calculated; open the workbook, calculate it and save it, or write the value itself.'],
    [4, 'The formula in F4 is not calculated; open the workbook, calculate it and save it, or write the value itself.'],
  ])
  expect(rows(all)).toEqual([2, 5])
})

describe('a parquet file is unreadable', () => {
  const whole = () =>
    tableOf(
      'parquet',
      Array.from({ length: 500 }, (_, index) => flat(10 + (index % 40))),
    )
  const TABLES: [string, () => Uint8Array | Promise<Uint8Array>, string][] = [
    ['cut off at its end', async () => (await whole()).subarray(0, -20), 'it is damaged'],
    [
      'with its middle cut out',
      async () => Buffer.concat([(await whole()).subarray(0, 60), (await whole()).subarray(400)]),
      'it is damaged',
    ],
    ['with a codec that is not known', () => unknownCodec(), 'its column product_id is compressed with LZO, which is not supported'],
    ['with a page that states no lengths', () => withoutLengths(), 'it is damaged (a page does not state its lengths)'],
    ['that is a workbook', () => foreign('sheets.xlsx'), 'it is a zip or xlsx file, not parquet'],
    ['with text that is not UTF-8', () => latin1Parquet(), 'the column product_id has bytes that are not UTF-8 text'],
  ]
  const readOne = readEach('a.parquet', Object.fromEntries(TABLES.map(([what, content]) => [what, content])))
  it.each(TABLES)('%s', async (what, _, why) => {
    const { ends, lines } = await readOne(what)
    expect(ends).toMatchObject([{ kind: 'unreadable', error: { error_code: 'UNREADABLE_FILE', message: expect.stringContaining(why) } }])
    expect(lines).toEqual([])
  })

  /** The header of its first page ends before the lengths of levels: a decoder that uses them nevertheless never ends. */
  async function withoutLengths(): Promise<Buffer> {
    const bytes = await readFile(new URL('../../../docs/templates/avails.parquet', import.meta.url))
    return bytes.fill(0, 106, 110)
  }

  function unknownCodec(): Buffer {
    const columnData = Object.entries(flat(23)).map(([name, value]) => ({ name, data: [String(value)], type: 'STRING' as const }))
    return Buffer.from(parquetWriteBuffer({ columnData, codec: 'LZO', compressors: { LZO: (bytes) => bytes } }))
  }

  function latin1Parquet(): Buffer {
    const text = Uint8Array.from([0x70, 0xe9])
    return Buffer.from(
      parquetWriteBuffer({
        columnData: Object.entries(flat(23)).map(([name, value]) =>
          name === 'product_id'
            ? { name, data: [text], type: 'BYTE_ARRAY' as const }
            : { name, data: [String(value)], type: 'STRING' as const },
        ),
      }),
    )
  }
})

it('a row of a parquet file that is nested deeper than 32 levels is refused', async () => {
  const texts = { product_id: 'prime', 'period.grain': 'week', state: 'available' }
  const columns: Record<string, readonly unknown[]> = {
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, [value, value]])),
    'period.start': ['2030-W23', '2030-W24'],
  }
  const repetition_type = 'OPTIONAL' as const
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type } as const
  const schema: SchemaElement[] = [
    { name: 'root', num_children: Object.keys(columns).length + 2 },
    ...Object.keys(columns).map((name) => ({ name, ...text })),
    { name: 'spots.available', type: 'INT32', repetition_type },
    ...Array.from({ length: 32 }, (_, level) => ({ name: level === 0 ? 'impressions' : 'a', repetition_type, num_children: 1 })),
    { name: 'a', type: 'INT32', repetition_type },
  ]
  const deep = Array.from({ length: 32 }).reduce<unknown>((a) => ({ a }), 1)
  const columnData = Object.entries({ ...columns, 'spots.available': [1, 1], impressions: [deep, null] }).map(([name, data]) => ({
    name,
    data: [...data],
  }))
  const all = await read('a.parquet', new Uint8Array(parquetWriteBuffer({ columnData, schema })))
  expect(all.errors).toEqual([
    { row: 1, error_code: 'INVALID_ENTRY', message: 'impressions is nested deeper than the 32 levels of an entry.' },
  ])
  expect(rows(all)).toEqual([2])
})

it('a file that ends its reader is unreadable, and the files after it are read', async () => {
  const strings = Array.from({ length: 3_000_000 }, (_, index) => `<si><t>${index}</t></si>`)
  const all = await readFiles(
    { type: 'avails', products: [PRIME] },
    { 'a.csv': await tableOf('csv', [flat(23)]), 'b.xlsx': workbookOf([], strings), 'c.csv': await tableOf('csv', [flat(23), flat(24)]) },
  )
  expect(all.ends).toMatchObject([
    { kind: 'fileEnd', file: 0 },
    { kind: 'unreadable', file: 1, error: { row: 0, message: expect.stringMatching(/too much memory|the reader failed on it/) } },
    { kind: 'fileEnd', file: 2 },
  ])
  // The period of the first file is repeated in the last.
  expect(all.errors).toMatchObject([{ row: 2, field: 'period.start' }])
}, 180_000)

it('a parquet file with two faults is unreadable, and the file after it is read', async () => {
  const columnData = Object.entries(flat(23)).map(([name, value]) => ({ name, data: [String(value)], type: 'STRING' as const }))
  const twice = Buffer.from(parquetWriteBuffer({ columnData }))
  twice.fill(0xff, 4, 10) // the header of the first page
  twice.write('stXte', twice.lastIndexOf('state')) // the path of a later column
  const { ends, lines } = await readFiles(
    { type: 'avails', products: [PRIME] },
    { 'a.parquet': twice, 'b.json': JSON.stringify([avail(23)]) },
  )
  expect(ends.map(({ kind }) => kind)).toEqual(['unreadable', 'fileEnd'])
  expect(lines).toHaveLength(1)
})

import { describe, expect, it } from '@jest/globals'
import { isStorableText } from '../../../src/domain/strictJson.ts'
import { type FileApart, PRIME, readApart, readFiles } from '../../support/files/readFiles.ts'

const HEAD = 'product_id,period.grain,period.start,state,spots.available'
const ROW = 'prime,week,2030-W23,available,10'
const read = (content: string | Uint8Array) => readFiles({ type: 'avails', products: [PRIME] }, { 'a.csv': content })
/** Reads files that are read apart from each other. */
const readEach = (contents: readonly (readonly [what: string, content: FileApart[1]])[]) =>
  readApart({ type: 'avails' }, Object.fromEntries(contents.map(([what, content]) => [what, ['a.csv', content]])))
const week = (number: number, count: number | string = 1) => `prime,week,2030-W${number},available,${count}`
const rowsOf = (lines: readonly string[]) => lines.map((line) => Number(line.split('\t')[0]))

describe('a csv file is read', () => {
  it('with a byte order mark, mixed line ends, quoted line breaks and blank records, which count', async () => {
    const { lines, errors, ends } = await read(
      `\ufeff${HEAD}\r\n${week(23)}\r${week(24)}\n\n"pri\nme",week,2030-W25,available,1\n,,,,\r\n${week(26)}`,
    )
    expect(rowsOf(lines)).toEqual([2, 3, 7])
    expect(errors).toMatchObject([{ row: 5, error_code: 'INVALID_ENTRY', value: 'pri\nme' }])
    expect(ends).toEqual([{ kind: 'fileEnd', file: 0, rows: 7 }])
  })

  it('with headers in any case, and warns of columns that are not known', async () => {
    const { lines, warnings } = await read(`PRODUCT_ID,Period.Grain,period.START,State,Spots.Available,note\n${ROW},x\n`)
    expect(rowsOf(lines)).toEqual([2])
    expect(warnings).toEqual([{ row: 1, code: 'UNKNOWN_COLUMN', message: 'The column note is not a known column and was ignored.' }])
  })

  it('with the code of an audience in a header as it is written', async () => {
    const { lines } = await read(`${HEAD},impressions.source,impressions.STREAM,IMPRESSIONS.P18-49.Per_Spot\n${ROW},Nielsen,C3,1200\n`)
    expect(lines[0]).toContain('"impressions":{"source":"Nielsen","stream":"C3","P18-49":{"per_spot":1200}}')
  })

  it('with a header alone, as no rows', async () => {
    expect(await read(HEAD)).toMatchObject({ lines: [], errors: [], ends: [{ kind: 'fileEnd', rows: 0 }] })
  })
})

describe('a header is refused once', () => {
  const separated = (name: string, mark: string) =>
    `The columns are separated by ${name}; save it as "CSV UTF-8 (comma delimited)", or put a line sep=${mark} above the header.`
  const HEADERS: [string, string, string[]][] = [
    ['semicolons', HEAD.replaceAll(',', ';'), [separated('semicolons', ';')]],
    ['tabs', HEAD.replaceAll(',', '\t'), [separated('tabs', ' with a tab')]],
    ['a repeated column', `${HEAD},STATE`, ['The column STATE is listed twice.']],
    ['a missing column', 'product_id,period.grain,state', ['The column period.start is required.']],
    ['a retired column', `${HEAD},package`, ['The column package is not part of this contract; use product_id.']],
  ]
  const readOne = readEach(HEADERS.map(([what, header]) => [what, `${header}\n${ROW}\n${ROW}\n`]))
  it.each(HEADERS)('for %s', async (what, _, messages) => {
    const { lines, errors, ends } = await readOne(what)
    expect(errors.map(({ row, error_code, message }) => [row, error_code, message])).toEqual(
      messages.map((message) => [1, 'INVALID_HEADER', message]),
    )
    expect(lines).toEqual([])
    expect(ends).toMatchObject([{ kind: 'fileEnd' }])
  })
})

it.each([
  ['U+0000', 'a\u0000b'],
  ['half of a character at its cut', `${'a'.repeat(99)}😀😀`],
])('a header with %s is refused in text that can be stored', async (_, name) => {
  const { errors, warnings } = await read(`${HEAD},${name},${name}\n${ROW},,\n`)
  expect(errors).toMatchObject([{ row: 1, error_code: 'INVALID_HEADER', message: expect.stringContaining('is listed twice') }])
  const { warnings: ofOne } = await read(`${HEAD},${name}\n${ROW},\n`)
  for (const { message } of [...errors, ...warnings, ...ofOne]) expect(isStorableText(message)).toBe(true)
})

it('an error repeats a name only in part', async () => {
  const code = '😀'.repeat(10_000)
  const { errors } = await read(`${HEAD},impressions.source,impressions.stream,impressions.${code}.per_spot\n${ROW},Nielsen,C3,x\n`)
  expect(errors).toMatchObject([{ row: 2, error_code: 'INVALID_ENTRY' }])
  for (const { field = '', message } of errors) expect(Math.max(field.length, message.length)).toBeLessThanOrEqual(1_001)
})

describe('a row is refused', () => {
  const NUMBERS = ['1,000', '$5', '1e3', 'NaN', '1234567890123456', '1.', '0x10']
  const readOne = readEach(NUMBERS.map((number) => [number, `${HEAD}\n${week(23, `"${number}"`)}\n${week(24)}\n`]))
  it.each(NUMBERS)('with the number %s', async (number) => {
    const { lines, errors } = await readOne(number)
    expect(errors).toMatchObject([{ row: 2, error_code: 'INVALID_ENTRY', field: 'spots.available', value: number }])
    expect(rowsOf(lines)).toEqual([3])
  })

  it('with other cells than the header has, or with U+0000', async () => {
    const { lines, errors } = await read(`${HEAD}\n${week(23)},1\nprime,week\npri\u0000me,week,2030-W24,available,1\n${week(25)}\n`)
    expect(errors.map(({ row, error_code }) => [row, error_code])).toEqual([2, 3, 3, 4].map((row) => [row, 'INVALID_ENTRY']))
    expect(rowsOf(lines)).toEqual([5])
  })
})

describe('a csv file is unreadable', () => {
  const utf16 = Buffer.from(`${HEAD}\n${ROW}\n`, 'utf16le')
  const FILES: [string, string | Uint8Array, string, number][] = [
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), 'UTF-16', 0],
    ['UTF-16 without a mark', utf16, 'UTF-16', 0],
    ['Latin-1', Buffer.from(`${HEAD}\nprimé,week,2030-W23,available,1\n`, 'latin1'), 'not UTF-8', 0],
    ['an open quote', `${HEAD}\n${ROW}\n"prime,week\n`, 'row 3 opens a quote that is never closed', 3],
    ['a stray quote', `${HEAD}\n${ROW}\npri"me,week,2030-W24,available,1\n`, 'row 3 has a quote inside of a cell', 3],
    ['text after a quote', `${HEAD}\n${ROW}\n"pri"me,week,2030-W24,available,1\n`, 'row 3 has text after a closing quote', 3],
    ['a long record', `${HEAD}\n${ROW}\n${'x'.repeat(200_000)}\n`, 'row 3 is larger than 131072 bytes', 3],
    ['257 columns', `${HEAD}\n${ROW}\n${'x,'.repeat(256)}x\n`, 'row 3 has 257 columns', 3],
    ['257 columns before other rows', `${HEAD}\n${ROW}\n${'x,'.repeat(256)}x\n${ROW}\n`, 'row 3 has 257 columns', 3],
    ['nothing', '', 'it is empty', 0],
    ['a zip file', Buffer.from('PK\u0003\u0004abcd'), 'it is a zip or xlsx file, not csv', 0],
  ]
  const readOne = readEach(FILES.map(([what, content]) => [what, content]))
  it.each(FILES)('with %s', async (what, _, why, row) => {
    const { lines, ends } = await readOne(what)
    expect(ends).toMatchObject([{ kind: 'unreadable', file: 0, error: { row, error_code: 'UNREADABLE_FILE' } }])
    expect(ends[0]).toHaveProperty('error.message', expect.stringContaining(why))
    expect(rowsOf(lines)).toEqual(row === 3 ? [2] : [])
  })
})

it('more errors than are listed are counted', async () => {
  const { errors, rejected, ends } = await read(`${HEAD}\n${'prime,week,x,available,1\n'.repeat(50_000)}`)
  expect([errors.length, rejected]).toEqual([10_000, 50_000])
  expect(ends).toEqual([{ kind: 'fileEnd', file: 0, rows: 50_001 }])
}, 60_000)

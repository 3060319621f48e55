import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { writeXlsx } from 'hucre/xlsx'
import type { Mapping } from '../../../src/contract/mapping.ts'
import { PutMapping } from '../../../src/contract/mapping.ts'
import type { CellPart } from '../../../src/contract/vocabulary/mappings.ts'
import { readFiles } from '../../support/files/readFiles.ts'
import { MAPPINGS } from './stationMappings.ts'

const FOLDER = new URL('../../corpus/documents/', import.meta.url)
const mapping = (name: string, body: PutMapping): Mapping => ({ name, version: `v-${name}`, updated_at: '2030-01-01T00:00:00Z', ...body })
const ALL = Object.entries(MAPPINGS).map(([name, body]) => mapping(name, PutMapping.parse(body)))

interface Airing {
  readonly date: string
  readonly aired: string
  readonly copy: string
  readonly length: number
  readonly line: string
  readonly kind: string
}

const LOGS = [
  ['12-station-log.xlsx', 'log-short', { skipped: 1, sheets: 2 }],
  ['f17a-station-log.xlsx', 'log-week', { skipped: 43, sheets: 8 }],
  ['f17b-station-log-planned.xlsx', 'log-planned', { skipped: 4, sheets: 3 }],
  ['f17c-as-run-report.csv', 'report', { skipped: 0, sheets: 1 }],
  ['f17f-as-run-log.csv', 'log-csv', { skipped: 0, sheets: 1 }],
] as const

describe.each(LOGS)('the log %s', (file, name, { skipped, sheets }) => {
  it('is read by its mapping, found by its headers, as the airings that it tells', async () => {
    const { airings, market } = JSON.parse(await readFile(new URL(file.replace(/\.\w+$/, '.expected.json'), FOLDER), 'utf8')) as {
      airings: Airing[]
      market?: string
    }
    const content = await readFile(new URL(file, FOLDER))
    const { entries, errors, mapped, warnings, rejected } = await readFiles({ type: 'delivery_posts', mappings: ALL }, { [file]: content })
    expect([errors, rejected]).toEqual([[], 0])
    expect(mapped).toEqual([{ kind: 'mapped', file: 0, mapping: name, version: `v-${name}` }])
    const read = entries.map(({ entry }) => entry as Record<string, unknown>)
    const isReport = name === 'report'
    expect(read.map((post) => [post.air_date, withSeconds(post.air_time), post.isci, post.spot_length, post.is_bonus])).toEqual(
      airings.map(({ date, aired, copy, length, kind }) => [date, aired, copy, length, kind === 'bonus']),
    )
    if (!isReport) expect(read.map(({ seller_line_id }) => seller_line_id)).toEqual(airings.map(({ line }) => line))
    if (market !== undefined) expect(new Set(read.map(({ network }) => network))).toEqual(new Set([market]))
    for (const { clock, ran } of read) expect([clock, ran]).toEqual(['broadcast', name === 'log-planned' ? null : true])
    const noted = warnings.filter(({ code }) => code === 'SKIPPED_ROWS').map(({ message }) => message)
    expect(noted).toEqual(
      skipped === 0 ? [] : [`${skipped === 1 ? '1 row was' : `${skipped} rows were`} left out, as the mapping ${name} says.`],
    )
    expect(warnings.filter(({ code }) => code === 'MORE_SHEETS')).toHaveLength(sheets > 1 ? 1 : 0)
  })
})

describe('a workbook with a sheet for each day beside one of the week', () => {
  const HEADINGS = ['Day', 'Clock', 'Len', 'Copy']
  const log = mapping(
    'days',
    PutMapping.parse({
      type: 'delivery_posts',
      headers: HEADINGS,
      columns: { air_date: 'Day', air_time: 'Clock', spot_length: 'Len', isci: 'Copy' },
      constants: { record_type: 'as_run', network: 'NET', status: 'Aired' },
    }),
  )
  const spot = (day: string) => [day, '19:01:00', 30, 'COPY']
  const read = async (sheets: Readonly<Record<string, (string | number)[][]>>) => {
    const bytes = await writeXlsx({ sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) })
    return readFiles({ type: 'delivery_posts', mappings: [log] }, { 'log.xlsx': Buffer.from(bytes) })
  }
  const unread = ({ warnings }: Awaited<ReturnType<typeof read>>) =>
    warnings.filter(({ code }) => code === 'UNREAD_DAYS').map(({ message }) => message)

  it('says which days only those have, and takes none of them', async () => {
    const all = await read({
      MASTER: [HEADINGS, spot('2030-06-03')],
      MON: [HEADINGS, spot('2030-06-03')],
      TUE: [['Week 23'], HEADINGS, spot('2030-06-04'), spot('2030-06-05')],
      Notes: [['nothing']],
    })
    expect(all.entries.map(({ entry }) => (entry as { air_date: string }).air_date)).toEqual(['2030-06-03'])
    expect(unread(all)).toEqual([
      'Other sheets have rows of days that the one which was read lacks: TUE (2030-06-04, 2030-06-05). They were not read: send them as a file of their own.',
    ])
  })

  it('says nothing where the week has them all', async () => {
    expect(unread(await read({ MASTER: [HEADINGS, spot('2030-06-03')], MON: [HEADINGS, spot('2030-06-03')] }))).toEqual([])
  })
})

describe('a part of a cell', () => {
  const copies = async (part: CellPart, ...texts: string[]) => {
    const body = PutMapping.parse({
      type: 'delivery_posts',
      headers: ['Day', 'Clock', 'Len', 'Copy'],
      columns: { air_date: 'Day', air_time: 'Clock', spot_length: 'Len', isci: 'Copy' },
      constants: { record_type: 'as_run', network: 'NET', status: 'Aired' },
      parts: { isci: part },
    })
    const text = ['Day,Clock,Len,Copy', ...texts.map((copy) => `2030-06-03,19:01:00,30,"${copy}"`)].join('\n')
    const { entries } = await readFiles({ type: 'delivery_posts', mappings: [mapping('parts', body)] }, { 'a.csv': Buffer.from(text) })
    return entries.map(({ entry }) => (entry as { isci: string }).isci)
  }
  const COPY = 'EX15A103: Example (B) Spot (EXMP1003H)'

  it.each([
    ['in_brackets', 'EXMP1003H'],
    ['before_colon', 'EX15A103'],
    ['after_colon', 'Example (B) Spot (EXMP1003H)'],
    ['first_word', 'EX15A103:'],
    ['last_word', '(EXMP1003H)'],
  ] as const)('%s is %s, and a text without it is whole', async (part, expected) => {
    expect(await copies(part, COPY, 'Plain')).toEqual([expected, 'Plain'])
  })

  it('is the ISCI in the text of a log', async () => {
    const file = 'f17a-station-log.xlsx'
    const body = PutMapping.parse({ ...MAPPINGS['log-week'], parts: { isci: 'in_brackets' } })
    const content = await readFile(new URL(file, FOLDER))
    const { entries } = await readFiles({ type: 'delivery_posts', mappings: [mapping('log', body)] }, { [file]: content })
    const { airings } = JSON.parse(await readFile(new URL(file.replace(/\.\w+$/, '.expected.json'), FOLDER), 'utf8')) as {
      airings: Airing[]
    }
    expect(entries.map(({ entry }) => (entry as { isci: string }).isci)).toEqual(airings.map(({ copy }) => /\((\w+)\)/.exec(copy)?.[1]))
  })
})

describe.each(['f14a', 'f14b'])('the run sheet of %s', (family) => {
  it('is found behind the order, and read as planned spots', async () => {
    const file = `${family}-confirmation-run-sheet.xlsx`
    const { totals, lines } = JSON.parse(await readFile(new URL(`${family}-confirmation-run-sheet.expected.json`, FOLDER), 'utf8'))
    const content = await readFile(new URL(file, FOLDER))
    const { entries, errors, mapped } = await readFiles({ type: 'delivery_posts', mappings: ALL }, { [file]: content })
    expect([errors, mapped[0]?.mapping]).toEqual([[], 'run-sheet'])
    expect(entries).toHaveLength(totals.units)
    const bonus = lines
      .filter(({ kind }: { kind: string }) => kind === 'bonus')
      .flatMap(({ periods }: { periods: { units: number }[] }) => periods)
    const read = entries.map(({ entry }) => entry as Record<string, unknown>)
    expect(read.filter(({ is_bonus }) => is_bonus)).toHaveLength(
      bonus.reduce((sum: number, { units }: { units: number }) => sum + units, 0),
    )
    expect(read[0]).toMatchObject({ air_date: '2030-06-03', air_time: '11:08', spot_length: 15, seller_line_id: '72001', ran: null })
  })
})

describe('a log in a form that drops do not have', () => {
  it.each([
    ['f17d-as-run-fixed-width.txt', 'it is a text with columns of fixed width; send csv, xlsx, parquet or json'],
    ['f17e-as-run-bxf.xml', 'it is XML of BXF; send csv, xlsx, parquet or json'],
  ])('%s is refused by name', async (file, why) => {
    const content = await readFile(new URL(file, FOLDER))
    const { entries, errors } = await readFiles({ type: 'delivery_posts', mappings: ALL }, { [file]: content })
    expect(entries).toEqual([])
    expect(errors).toEqual([])
    const { ends } = await readFiles({ type: 'delivery_posts' }, { [file]: content })
    expect(ends).toEqual([
      { kind: 'unreadable', file: 0, error: { row: 0, error_code: 'UNREADABLE_FILE', message: `${file} cannot be read: ${why}.` } },
    ])
  })
})

function withSeconds(time: unknown): string {
  return String(time).length === 5 ? `${time}:00` : String(time)
}

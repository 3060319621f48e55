import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { DROP_FILE_TYPES, DROP_FORMATS, type DropFileType, type DropFormat } from '../../src/contract/vocabulary/drops.ts'
import { TEMPLATES } from '../../tools/docs/dropTemplates.ts'
import { readFiles } from '../support/files/readFiles.ts'
import { changes, damaged, damagedWithin } from './support/damage.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const SOLD = ['prime', ...TEMPLATES.catalog.entries.map(({ product_id }) => String(product_id))].map((product_id) => ({
  product_id,
  buy_types: ['preemptible' as const],
  grains: ['week' as const],
}))
const EFFECTIVE = { start: '2027-01-01', end: '2030-12-31' }
const bytesOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url))
const foreign = (name: string) => bytesOf(`test/support/files/foreign/${name}`)

const STATION_FILE = [
  '21;AGENCY;1;',
  '22;WNET;TV',
  `31;${Array.from({ length: 30 }, (_, at) => (at === 4 ? '300630' : at === 20 ? 'spring' : 'x')).join(';')}`,
  '51;Y;300605;3;1930;30;ABCD1234;420000;;;;',
  '34;1;420000;63000;357000;;;;;;;;1',
].join('\n')
const jsonOf = (entries: number) => {
  const avail = (index: number) => ({
    product_id: 'prime',
    period: { grain: 'week', start: `2030-W${10 + index}` },
    state: 'available',
    spots: { available: index },
  })
  return Buffer.from(JSON.stringify({ avails: Array.from({ length: entries }, (_, index) => avail(index)) }))
}

/** Undamaged files to damage: the templates, and files of other programs. */
async function seedsOf(type: DropFileType, format: DropFormat): Promise<Buffer[]> {
  const template = await bytesOf(`docs/templates/${type}.${format}`)
  if (type === 'delivery_posts' && format === 'csv') return [template, Buffer.from(STATION_FILE)]
  if (type !== 'avails') return [template]
  if (format === 'json') return [template, jsonOf(12), Buffer.from(`${jsonOf(1)}\n${jsonOf(2)}`)]
  return [template, ...(await Promise.all(FOREIGN[format].map(foreign)))]
}

const FOREIGN = {
  csv: ['pandas.csv'],
  parquet: ['pandas-snappy.parquet', 'pandas-zstd.parquet', 'pandas-gzip.parquet', 'pandas-brotli.parquet', 'nested.parquet'],
  xlsx: ['pandas.xlsx', 'formulas.xlsx', 'dates.xlsx', 'merged.xlsx'],
}

/** The number of files of one format that one reader gets. */
const BATCH = 50

it.each(DROP_FILE_TYPES)(
  'damaged files of %s end in entries or a fault, in every format',
  async (type) => {
    const total = scale(25, 1_250)
    const samples = await Promise.all(
      DROP_FORMATS.map(async (format) => {
        const seeds = await seedsOf(type, format)
        return { format, files: fc.sample(fc.tuple(fc.constantFrom(...seeds), changes, fc.boolean()), total) }
      }),
    )
    let [unreadable, killed] = [0, 0]
    for (let from = 0; from < total; from += BATCH) {
      const contents = await Promise.all(
        samples.flatMap(({ format, files }) =>
          files.slice(from, from + BATCH).map(async ([seed, made, isWithin], index) => {
            const content = format === 'xlsx' && isWithin ? await damagedWithin(seed, made) : damaged(seed, made)
            return [`${index}.${format}`, content] as const
          }),
        ),
      )
      const { ends, lines, errors } = await readFiles({ type, products: SOLD, effective: EFFECTIVE }, Object.fromEntries(contents))
      expect(ends.map(({ file }) => file)).toEqual(contents.map((_, index) => index))
      if (type === 'avails') expect(lines.filter((line) => line.split('\t').length !== 6)).toEqual([])
      expect(errors.filter(({ row, message }) => !Number.isInteger(row) || message === '')).toEqual([])
      for (const end of ends) {
        if (end.kind === 'fileEnd') continue
        unreadable += 1
        expect(end.error).toMatchObject({ error_code: 'UNREADABLE_FILE' })
        if (/the reader failed|too much memory|longer than/.test(end.error.message)) killed += 1
      }
    }
    report(`damaged files of ${type}`, { files: total * DROP_FORMATS.length, unreadable, killed })
  },
  scale(120_000, 3_600_000),
)

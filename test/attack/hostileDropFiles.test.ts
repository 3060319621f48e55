import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { DropFormat } from '../../src/contract/vocabulary/drops.ts'
import { readFiles } from '../support/files/readFiles.ts'
import { scale } from './support/scale.ts'
import { report } from './support/table.ts'

const PRODUCTS = [{ product_id: 'prime', buy_types: ['preemptible' as const], grains: ['week' as const] }]
const foreign = (name: string) => readFile(new URL(`../support/files/foreign/${name}`, import.meta.url))
const jsonOf = (entries: number) => {
  const avail = (index: number) => ({
    product_id: 'prime',
    period: { grain: 'week', start: `2030-W${10 + index}` },
    state: 'available',
    spots: { available: index },
  })
  return Buffer.from(JSON.stringify({ avails: Array.from({ length: entries }, (_, index) => avail(index)) }))
}

/** Whole files of each format, which are then damaged. */
const SEEDS: [DropFormat, () => Promise<Buffer>[]][] = [
  ['csv', () => ['pandas.csv'].map(foreign)],
  ['json', () => [Promise.resolve(jsonOf(12)), Promise.resolve(Buffer.from(`${jsonOf(1)}\n${jsonOf(2)}`))]],
  [
    'parquet',
    () => ['pandas-snappy.parquet', 'pandas-zstd.parquet', 'pandas-gzip.parquet', 'pandas-brotli.parquet', 'nested.parquet'].map(foreign),
  ],
  ['xlsx', () => ['pandas.xlsx', 'formulas.xlsx', 'dates.xlsx', 'merged.xlsx'].map(foreign)],
]

const PIECES = [
  '"',
  ',',
  '\n',
  '\r',
  ';',
  '\u0000',
  '\ufeff',
  '{',
  '[',
  ']',
  '}',
  '\\',
  '|',
  '=1+1',
  '1e999',
  '-',
  'PAR1',
  'PK\u0003\u0004',
  '&#x0;',
  '<f>',
]
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('flip', 'flip', 'flip', 'insert', 'remove', 'cut', 'repeat', 'number'),
  byte: fc.nat(255),
  length: fc.nat(64),
  piece: fc.constantFrom(...PIECES),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function damaged(bytes: Buffer, changes: readonly Change[]): Buffer {
  return changes.reduce(changed, bytes)
}

const NUMBERS = [0, 1, 0x7fffffff, 0xffffffff] as const

function changed(current: Buffer, { at: place, how, byte, length, piece }: Change): Buffer {
  // The directory of a parquet or zip file is at its end.
  const at = place % 2 === 0 ? place % (current.length + 1) : Math.max(current.length - 1 - (place % 400), 0)
  const [before, after] = [current.subarray(0, at), current.subarray(at)]
  switch (how) {
    case 'flip':
      return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
    case 'insert':
      return Buffer.concat([before, Buffer.from(piece), after])
    case 'remove':
      return Buffer.concat([before, after.subarray(length)])
    case 'cut':
      return before.length > 0 ? before : current
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, length), after])
    case 'number': {
      const copy = Buffer.from(current)
      if (at + 4 <= copy.length) copy.writeUInt32LE(NUMBERS[byte % NUMBERS.length] as number, at)
      return copy
    }
  }
}

/** Files that one reader is given. */
const AT_ONCE = 50

it.each(SEEDS)(
  'damaged files end in entries or a fault: %s',
  async (format, load) => {
    const seeds = await Promise.all(load())
    const total = scale(100, 5_000)
    const files = fc.sample(fc.tuple(fc.constantFrom(...seeds), fc.array(change, { minLength: 1, maxLength: 3 })), total)
    let [unreadable, killed] = [0, 0]
    for (let from = 0; from < total; from += AT_ONCE) {
      const contents = files
        .slice(from, from + AT_ONCE)
        .map(([seed, changes], index) => [`${index}.${format}`, damaged(seed, changes)] as const)
      const { ends } = await readFiles({ type: 'avails', products: PRODUCTS }, Object.fromEntries(contents))
      expect(ends.map(({ file }) => file)).toEqual(contents.map((_, index) => index))
      for (const end of ends) {
        if (end.kind === 'fileEnd') continue
        unreadable += 1
        expect(end.error).toMatchObject({ error_code: 'UNREADABLE_FILE' })
        if (/the reader failed|too much memory|longer than/.test(end.error.message)) killed += 1
      }
    }
    report(`damaged ${format} files`, { files: total, unreadable, killed })
  },
  scale(120_000, 3_600_000),
)

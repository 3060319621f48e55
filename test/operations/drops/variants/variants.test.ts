import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import type { DropFileType } from '../../../../src/contract/vocabulary/drops.ts'
import type { SoldProduct } from '../../../../src/operations/drops/reader/messages.ts'
import { type FilesRead, PRIME, readApart, readFiles } from '../../../support/files/readFiles.ts'
import { VARIANTS, type Variant } from './expected.ts'

const SOLD: SoldProduct = { ...PRIME, grains: ['day', 'week', 'month'] }
const EFFECTIVE = { start: '2030-06-03', end: '2030-09-01' }

/** Each file of this folder, as other programs made it (makeVariants.py), with what becomes of it. */
describe.each<DropFileType>([...new Set(VARIANTS.map(({ type }) => type))])('%s', (type) => {
  const variants = VARIANTS.filter((variant) => variant.type === type)
  // A period of a product may come once in the avails of one reader.
  const apart = readApart(
    { type, effective: EFFECTIVE },
    Object.fromEntries(variants.map(({ file }) => [file, [file, () => readFile(new URL(file, import.meta.url))]])),
  )
  const alone = async (file: string) => readFiles({ type, products: [SOLD] }, { [file]: await readFile(new URL(file, import.meta.url)) })
  const read = type === 'avails' ? alone : apart
  it.each(variants)('$file: $what', async ({ file, ...expected }) => {
    expect(outcomeOf(await read(file))).toEqual(outcomeExpected(expected))
  })
})

type Outcome = Pick<Required<Variant>, 'taken' | 'refused' | 'warned'>

function outcomeExpected({ taken = [], refused = [], warned = [] }: Omit<Variant, 'file'>): Outcome {
  return { taken: taken.map((entry) => expect.objectContaining(entry)), refused, warned }
}

function outcomeOf({ entries, lines, errors, warnings, ends }: FilesRead): Outcome {
  const taken = entries.length > 0 ? entries.map(({ entry }) => entry) : lines.map((line) => JSON.parse(line.split('\t')[5] as string))
  const broken = ends.flatMap((end) => (end.kind === 'unreadable' ? [end.error] : []))
  return {
    taken: taken as Outcome['taken'],
    refused: [...errors, ...broken].map(({ row, message }) => [row, message]),
    warned: warnings.map(({ row, message }) => [row, message]),
  }
}

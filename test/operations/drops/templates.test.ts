import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { DROP_FILE_TYPES, DROP_FORMATS } from '../../../src/contract/vocabulary/drops.ts'
import { TEMPLATES } from '../../../tools/docs/dropTemplates.ts'
import { readFiles } from '../../support/files/readFiles.ts'

const SOLD = TEMPLATES.catalog.entries.map(({ product_id }) => ({
  product_id: String(product_id),
  buy_types: ['preemptible' as const],
  grains: ['week' as const],
}))

it.each(DROP_FILE_TYPES.flatMap((type) => DROP_FORMATS.map((format) => [type, format] as const)))(
  'the template of %s as %s is read without an error or a warning, to its example entries',
  async (type, format) => {
    const bytes = await readFile(new URL(`../../../docs/templates/${type}.${format}`, import.meta.url))
    const { lines, errors, warnings, ends } = await readFiles({ type, products: SOLD }, { [`template.${format}`]: bytes })
    expect([errors, warnings, ends.map(({ kind }) => kind)]).toEqual([[], [], ['fileEnd']])
    const entries = lines.map((line) => JSON.parse(type === 'avails' ? (line.split('\t').at(-1) as string) : line))
    expect(entries.map((entry) => (type === 'avails' ? entry : entry.entry))).toEqual(
      TEMPLATES[type].entries.map((entry) => expect.objectContaining(entry)),
    )
  },
)

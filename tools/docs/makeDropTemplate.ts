import { DROP_FILE_SHAPES } from '../../src/contract/dropColumns.ts'
import type { DropFileType, DropFormat } from '../../src/contract/vocabulary/drops.ts'
import { rowsOf, writeDropFile } from '../../src/sdk/dropClient/writeDropFile.ts'
import { TEMPLATES } from './dropTemplates.ts'

/** Returns docs/templates/{type}.{format}: every column of the type and the example rows; as json, the body of the PUT. */
export async function makeDropTemplate(type: DropFileType, format: DropFormat): Promise<Uint8Array> {
  const { list, ...shape } = DROP_FILE_SHAPES[type]
  const { head, entries } = TEMPLATES[type]
  if (format === 'json') return Buffer.from(`${JSON.stringify({ ...head, [list]: entries }, null, 2)}\n`)
  const rows = entries.map((entry) => ({ ...entry, ...head }))
  const columns = [...shape.entry, ...shape.head].map(({ name }) => name)
  const unknown = rows.flatMap(rowsOf).flatMap((row) => Object.keys(row).filter((name) => !columns.includes(name)))
  if (unknown.length > 0) throw new Error(`the example rows of ${type} have ${unknown.join(', ')}, which are not among its columns`)
  return writeDropFile(
    format,
    rows,
    columns.filter((name) => !name.includes('{code}')),
  )
}

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DROP_FILE_SHAPES } from '../../../src/contract/dropColumns.ts'
import type { Mapping } from '../../../src/contract/mapping.ts'
import type { DropFileType, DropFormat } from '../../../src/contract/vocabulary/drops.ts'
import { ENTRY_READERS } from '../../../src/operations/drops/reader/entryReaders.ts'
import type { RowError, SliceLine, SoldProduct } from '../../../src/operations/drops/reader/messages.ts'
import { sentEntries } from '../../../src/operations/drops/reader/sentEntries.ts'
import { type FlatRow, tableOf } from '../../support/files/tables.ts'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'

export interface EntriesRead {
  readonly accepted: [row: number, json: string][]
  readonly errors: RowError[]
}

const EFFECTIVE = { start: '2030-06-03', end: '2030-09-01' }

/** Reads one file as a reader does, in this process. */
export async function readEntriesOf(
  type: DropFileType,
  format: DropFormat,
  content: Uint8Array,
  products: ReadonlyMap<string, SoldProduct>,
  mappings: readonly Mapping[] = [],
): Promise<EntriesRead> {
  const { path: folder, remove } = await temporaryFolder()
  try {
    const [path, productsPath] = [join(folder, 'file'), join(folder, 'products')]
    await writeFile(path, content)
    await writeFile(productsPath, [...products.values()].map((product) => `${JSON.stringify(product)}\n`).join(''))
    const file = { filename: 'file', path, format, sha256: '0'.repeat(64) }
    const read: EntriesRead = { accepted: [], errors: [] }
    const task = { type, drop_id: 'drop-1', files: [file], folder, effective: EFFECTIVE, products: productsPath }
    const reader = ENTRY_READERS[type](task, {
      takesWarnings: true,
      head: () => undefined,
      warn: () => undefined,
      accept: (row, line) =>
        read.accepted.push([row, type === 'avails' ? bodyOf(line) : JSON.stringify((JSON.parse(line) as SliceLine).entry)]),
      reject: (_, errors) => read.errors.push(...errors),
    })
    reader.beginFile?.(0)
    for await (const batch of sentEntries(file, type, DROP_FILE_SHAPES[type], () => undefined, { mappings })) {
      for (const sent of batch) {
        if (sent.error === undefined) reader.take(sent)
        else read.errors.push(sent.error)
      }
    }
    return read
  } finally {
    await remove()
  }
}

/** The body in a line of COPY text. */
function bodyOf(line: string): string {
  const body = line.slice(0, -1).split('\t')[5] as string
  return body.replaceAll(/\\(.)/g, (_, escaped: string) => UNESCAPED[escaped] ?? escaped)
}
const UNESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

type Entry = Readonly<Record<string, unknown>>

/** Writes entries as a file of a format, and tells to which entry a row belongs. */
export async function flatRows(
  type: DropFileType,
  format: DropFormat,
  entries: readonly Entry[],
): Promise<{ content: Uint8Array; indexOfRow: (row: number) => number }> {
  const { list, entry } = DROP_FILE_SHAPES[type]
  if (format === 'json') return { content: Buffer.from(JSON.stringify({ [list]: entries })), indexOfRow: (row) => row - 1 }
  const rows = entries.map(rowsOf)
  const columns = entry.map(({ name }) => name).filter((name) => !name.includes('{'))
  const first = format === 'parquet' ? 1 : 2
  const indexes = rows.flatMap((some, index) => some.map(() => index))
  return { content: await tableOf(format, rows.flat(), columns), indexOfRow: (row) => indexes[row - first] ?? -1 }
}

/** An entry has a row for each item of its list of objects; the rows after the first have nothing else but the product. */
function rowsOf(entry: Entry): FlatRow[] {
  const flat: Record<string, string | number> = {}
  const items: FlatRow[] = []
  const walk = (value: unknown, path: string): void => {
    if (path === 'billboard') flat[path] = JSON.stringify(value)
    else if (Array.isArray(value) && value.every((item) => typeof item === 'object')) {
      for (const item of value as Entry[])
        items.push(Object.fromEntries(Object.entries(item).map(([name, member]) => [`${path}.${name}`, cellOf(member)])))
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, member] of Object.entries(value)) walk(member, path === '' ? name : `${path}.${name}`)
    } else flat[path] = cellOf(value)
  }
  walk(entry, '')
  const [firstItem, ...others] = items
  return [{ ...flat, ...firstItem }, ...others.map((item) => ({ product_id: flat.product_id, ...item }))]
}

function cellOf(value: unknown): string | number {
  return Array.isArray(value) ? value.join('|') : (value as string | number)
}

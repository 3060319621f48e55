import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DROP_FORMATS, type DropFormat } from '../../../src/contract/vocabulary/drops.ts'
import { readDropFiles } from '../../../src/drops/readDropFiles.ts'
import type { Head, ReaderMessage, ReadTask, RowError, RowWarning, SliceLine, SoldProduct } from '../../../src/drops/reader/messages.ts'
import { temporaryFolder } from './temporaryFolder.ts'

/** A reader's results for some files. */
export interface FilesRead {
  accepted: number
  rejected: number
  /** The lines of all slices. */
  readonly lines: string[]
  /** The parsed lines, for types other than avails. */
  readonly entries: SliceLine[]
  readonly errors: RowError[]
  readonly warnings: RowWarning[]
  readonly heads: Head[]
  readonly ends: Exclude<ReaderMessage, { kind: 'slice' | 'catalog' | 'commit' }>[]
}

/** A product that is sold by the week. */
export const PRIME: SoldProduct = { product_id: 'prime', buy_types: ['preemptible'], grains: ['week'] }

/** Reads files with these names and contents in a reader process. */
export async function readFiles(
  { products, ...task }: Pick<ReadTask, 'type' | 'after' | 'effective'> & { products?: readonly SoldProduct[] },
  contents: Readonly<Record<string, string | Uint8Array>>,
): Promise<FilesRead> {
  const { path: root, remove } = await temporaryFolder()
  try {
    const folder = join(root, 'slices')
    await mkdir(folder)
    const productsPath = join(root, 'products')
    await writeFile(productsPath, (products ?? []).map((product) => `${JSON.stringify(product)}\n`).join(''))
    const files = await Promise.all(
      Object.entries(contents).map(async ([filename, content], index) => {
        const path = join(root, `file-${index}`)
        await writeFile(path, content)
        return { filename, path, format: formatOf(filename), sha256: String(index).padStart(64, '0') }
      }),
    )
    const read: FilesRead = { accepted: 0, rejected: 0, lines: [], entries: [], errors: [], warnings: [], heads: [], ends: [] }
    for await (const message of readDropFiles({ ...task, drop_id: 'drop-1', files, folder, products: productsPath })) {
      if (message.kind === 'slice') {
        const lines = (await readFile(message.path, 'utf8')).split('\n').slice(0, -1)
        read.lines.push(...lines)
        if (task.type !== 'avails') read.entries.push(...lines.map((line) => JSON.parse(line) as SliceLine))
        read.accepted += message.accepted
        read.rejected += message.rejected
        read.errors.push(...message.errors)
        read.warnings.push(...message.warnings)
      } else if (message.kind === 'catalog' || message.kind === 'commit') read.heads.push(message)
      else read.ends.push(message)
    }
    return read
  } finally {
    await remove()
  }
}

function formatOf(filename: string): DropFormat {
  return DROP_FORMATS.find((format) => filename.endsWith(format)) ?? 'csv'
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DROP_FORMATS, type DropFormat } from '../../../src/contract/vocabulary/drops.ts'
import { readDropFiles } from '../../../src/operations/drops/readDropFiles.ts'
import type {
  Head,
  MappedBy,
  ReaderMessage,
  ReadTask,
  RowError,
  RowWarning,
  SliceLine,
  SoldProduct,
} from '../../../src/operations/drops/reader/messages.ts'
import { temporaryFolder } from './temporaryFolder.ts'

/** A reader's results for some files. */
export interface FilesRead {
  accepted: number
  rejected: number
  /** The lines of all slices. */
  readonly lines: string[]
  /** The parsed lines of accepted rows, for types other than avails. */
  readonly entries: SliceLine[]
  readonly errors: RowError[]
  readonly warnings: RowWarning[]
  readonly heads: Head[]
  readonly mapped: MappedBy[]
  readonly ends: Exclude<ReaderMessage, { kind: 'slice' | 'catalog' | 'commit' | 'mapped' }>[]
}

/** A product that is sold by the week. */
export const PRIME: SoldProduct = { product_id: 'prime', buy_types: ['preemptible'], grains: ['week'] }

type Task = Pick<ReadTask, 'type' | 'after' | 'effective' | 'mappings'> & { products?: readonly SoldProduct[] }
type Content = string | Uint8Array

/** Reads files with these names and contents in a reader process. */
export async function readFiles(task: Task, contents: Readonly<Record<string, Content>>): Promise<FilesRead> {
  const read = nothingRead()
  await readInto(task, Object.entries(contents), () => read)
  return read
}

/** A file of `readApart`, and what makes its content. */
export type FileApart = readonly [filename: string, content: Content | (() => Content | Promise<Content>)]

/**
 * Returns a function that reads one of several files, each of which is read as if it were alone. One reader process reads all of them when
 * the first is asked for, since a process each would take most of the time. The avails of texts are for a product each, which replaces
 * `prime`, since a period of a product must not come again.
 */
export function readApart(
  task: Pick<Task, 'type' | 'effective'>,
  files: Readonly<Record<string, FileApart>>,
): (name: string) => Promise<FilesRead> {
  const names = Object.keys(files)
  const readAll = async () => {
    const all = names.map(nothingRead)
    const contents = Object.values(files).map(async ([filename, content], index) => {
      const made = typeof content === 'function' ? await content() : content
      return [filename, typeof made === 'string' ? made.replaceAll('prime', productOf(index)) : made] as const
    })
    const products = [PRIME, ...names.map((_, index) => ({ ...PRIME, product_id: productOf(index) }))]
    await readInto({ ...task, products }, await Promise.all(contents), (file) => all[file] as FilesRead)
    const alone = <T extends { file: number }>(message: T): T => ({ ...message, file: 0 })
    return new Map(all.map((read, index) => [names[index], { ...read, heads: read.heads.map(alone), ends: read.ends.map(alone) }]))
  }
  let reading: ReturnType<typeof readAll> | undefined
  return async (name) => {
    reading ??= readAll()
    return (await reading).get(name) as FilesRead
  }
}

const productOf = (index: number) => `prime-${index}`

function nothingRead(): FilesRead {
  return { accepted: 0, rejected: 0, lines: [], entries: [], errors: [], warnings: [], heads: [], mapped: [], ends: [] }
}

async function readInto(
  { products, ...task }: Task,
  contents: readonly (readonly [filename: string, content: Content])[],
  readOf: (file: number) => FilesRead,
): Promise<void> {
  const { path: root, remove } = await temporaryFolder()
  try {
    const folder = join(root, 'slices')
    await mkdir(folder)
    const productsPath = join(root, 'products')
    await writeFile(productsPath, (products ?? []).map((product) => `${JSON.stringify(product)}\n`).join(''))
    const files = await Promise.all(
      contents.map(async ([filename, content], index) => {
        const path = join(root, `file-${index}`)
        await writeFile(path, content)
        return { filename, path, format: formatOf(filename), sha256: String(index).padStart(64, '0') }
      }),
    )
    for await (const message of readDropFiles({ ...task, drop_id: 'drop-1', files, folder, products: productsPath })) {
      const read = readOf(message.file)
      if (message.kind === 'slice') {
        const lines = (await readFile(message.path, 'utf8')).split('\n').slice(0, -1)
        read.lines.push(...lines)
        if (task.type !== 'avails')
          read.entries.push(...lines.map((line) => JSON.parse(line) as SliceLine).filter((line) => 'entry' in line))
        read.accepted += message.accepted
        read.rejected += message.rejected
        read.errors.push(...message.errors)
        read.warnings.push(...message.warnings)
      } else if (message.kind === 'catalog' || message.kind === 'commit') read.heads.push(message)
      else if (message.kind === 'mapped') read.mapped.push(message)
      else read.ends.push(message)
    }
  } finally {
    await remove()
  }
}

function formatOf(filename: string): DropFormat {
  return DROP_FORMATS.find((format) => filename.endsWith(format)) ?? 'csv'
}

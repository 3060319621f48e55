import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { Unreadable } from '../../adapters/tables/unreadable.ts'
import { DROP_FILE_SHAPES } from '../../contract/dropColumns.ts'
import { formatOf } from '../../contract/vocabulary/dropFormats.ts'
import type { DropFileType } from '../../contract/vocabulary/drops.ts'
import { HeaderFault } from '../../operations/drops/reader/headerFault.ts'
import type { RowError, RowWarning } from '../../operations/drops/reader/messages.ts'
import { sentEntries } from '../../operations/drops/reader/sentEntries.ts'
import type { SentEntry } from '../../operations/drops/reader/sentEntry.ts'
import { UsageFault } from '../exits.ts'
import { readBytes, readJsonFile } from '../files.ts'
import { jsonLines, lineOfPointer } from '../jsonLines.ts'

/** What is sent in one publish. */
export interface PublishBody {
  readonly text: string
  readonly entries: number
  /** The row of the file, or the line of a JSON file, that an entry is at. */
  rowOf(index: number): number
  /** The same of a JSON pointer into the body. */
  rowOfPointer(pointer: string): number
}

export interface ReadPublish {
  readonly bodies: readonly PublishBody[]
  /** Rows that are no entry, and are not sent. */
  readonly refused: readonly RowError[]
  readonly warnings: readonly RowWarning[]
}

const TYPES: Readonly<Record<Published, DropFileType>> = { catalog: 'catalog', 'rate-cards': 'rate_cards', avails: 'avails' }

/** Avails appear as they are written, so that a long file can be sent in parts; a catalog or a commit appears as a whole. */
const AVAILS_PER_BODY = 20_000

/** Reads a file as bodies of a publish. A JSON body is sent byte for byte; rows get what the options say of all of them. */
export async function readPublish(what: Published, options: PublishOptions): Promise<ReadPublish> {
  const { file } = options
  const shape = DROP_FILE_SHAPES[TYPES[what]]
  const format = file === '-' ? 'json' : formatOf({ filename: file, type: TYPES[what] })
  if (format === undefined) throw new UsageFault(`The name of ${file} must end in .json, .jsonl, .csv, .xlsx or .parquet.`)
  if (format === 'json' && !file.endsWith('.jsonl')) {
    const { text, value } = await readJsonFile(file)
    if (!Array.isArray(value)) return { bodies: [wholeBody(file, text, value, shape.list)], refused: [], warnings: [] }
  }
  const bytes = await readBytes(file)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const read: { sent: SentEntry[]; refused: RowError[]; warnings: RowWarning[] } = { sent: [], refused: [], warnings: [] }
  try {
    const source = { filename: basename(file), path: file, format, sha256 }
    for await (const batch of sentEntries(source, TYPES[what], shape, (warning) => read.warnings.push(warning)))
      for (const one of batch) one.error === undefined ? read.sent.push(one) : read.refused.push(one.error)
  } catch (error) {
    throw unreadable(file, error)
  }
  const bodies = groups(what, options, read.sent, sha256).flatMap(({ head, sent }) => bodiesOf(what, shape.list, head, sent))
  return { bodies, refused: read.refused, warnings: read.warnings }
}

function wholeBody(file: string, text: string, value: unknown, list: string): PublishBody {
  const entries = (value as Record<string, unknown> | null)?.[list]
  if (!Array.isArray(entries)) throw new UsageFault(`${file} is not a body of this publish: it must have the member ${list}.`)
  const lines = jsonLines(text)
  const rowOfPointer = (pointer: string) => lineOfPointer(lines, pointer) ?? 1
  return { text, entries: entries.length, rowOf: (index) => rowOfPointer(`/${list}/${index}`), rowOfPointer }
}

interface Group {
  readonly head: Readonly<Record<string, unknown>>
  readonly sent: SentEntry[]
}

/** Puts the rows of one catalog or commit together: those that say the same of the whole. */
function groups(what: Published, options: PublishOptions, sent: readonly SentEntry[], sha256: string): Group[] {
  const usual = usualHead(what, options, sha256)
  const byHead = new Map<string, Group>()
  for (const one of sent) {
    const head = { ...usual, ...one.head }
    const key = JSON.stringify(head)
    const group = byHead.get(key) ?? { head, sent: [] }
    byHead.set(key, group)
    group.sent.push(one)
  }
  if (byHead.size === 0) throw new UsageFault(`${options.file} has no entry.`)
  for (const { head } of byHead.values()) {
    if (what === 'catalog' && head.taxonomy_version === undefined)
      throw new UsageFault('Name the taxonomy by --taxonomy-version, or in a column taxonomy_version.')
    if (what === 'rate-cards' && head.effective === undefined)
      throw new UsageFault('Name the window of the prices by --effective, or in the columns effective.start and effective.end.')
  }
  return [...byHead.values()]
}

function usualHead(what: Published, options: PublishOptions, sha256: string): Record<string, unknown> {
  const { file, taxonomyVersion, commit, effective, agreement } = options
  if (what === 'avails') return {}
  if (what === 'catalog') return taxonomyVersion === undefined ? {} : { taxonomy_version: taxonomyVersion }
  const [start, end, ...more] = (effective ?? '').split('..')
  if (effective !== undefined && (end === undefined || more.length > 0))
    throw new UsageFault('--effective is a first and a last date, such as 2027-03-29..2027-06-27.')
  return {
    // Another file is another commit, and the same file the same one.
    commit: commit ?? `${basename(file).replace(/\.[^.]*$/, '')}-${sha256.slice(0, 8)}`,
    ...(effective !== undefined && { effective: { start, end } }),
    ...(agreement !== undefined && { agreement_id: agreement }),
  }
}

function bodiesOf(what: Published, list: string, head: Group['head'], sent: readonly SentEntry[]): PublishBody[] {
  const size = what === 'avails' ? AVAILS_PER_BODY : sent.length
  const bodies: PublishBody[] = []
  for (let from = 0; from < sent.length; from += size) {
    const part = sent.slice(from, from + size)
    const rowOf = (index: number) => part[index]?.row ?? 0
    bodies.push({
      text: JSON.stringify({ ...head, [list]: part.map(({ entry }) => entry) }),
      entries: part.length,
      rowOf,
      rowOfPointer: (pointer) => rowOf(Number(pointer.split('/')[2] ?? Number.NaN)),
    })
  }
  return bodies
}

function unreadable(file: string, error: unknown): unknown {
  if (error instanceof HeaderFault) {
    const [first, ...others] = error.errors.map(({ message }) => message)
    return new UsageFault(`${file}:1: ${first ?? 'the header is wrong.'}${others.length > 0 ? ` (and ${others.length} more)` : ''}`)
  }
  if (error instanceof Unreadable)
    return new UsageFault(`${file}${error.row === undefined ? '' : `:${error.row}`} cannot be read: ${error.message}.`)
  const { code } = error as NodeJS.ErrnoException
  if (code !== undefined && error instanceof Error && 'errno' in error) return error
  return new UsageFault(`${file} cannot be read: it is damaged, or is not what its name says.`)
}

export type Published = 'catalog' | 'rate-cards' | 'avails'

export interface PublishOptions {
  readonly file: string
  readonly check?: boolean
  readonly catalog?: string
  readonly dryRun?: boolean
  readonly taxonomyVersion?: string
  readonly commit?: string
  readonly effective?: string
  readonly agreement?: string
}

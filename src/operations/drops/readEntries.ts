import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { DropError, DropWarning, MappedFile } from '../../contract/drop.ts'
import type { RateEntry } from '../../contract/rateCard.ts'
import type { DropFileType } from '../../contract/vocabulary/drops.ts'
import { addTo } from '../../domain/addTo.ts'
import type { DropEntry, RowCounts } from '../../domain/drops/dropEntry.ts'
import type { DropCommit } from '../../domain/drops/stageDropCommit.ts'
import type { OpenRun } from '../../store/drops/dropRun.ts'
import type { DropRunFile } from '../../store/drops/drops.ts'
import { mappingsOfRun } from '../../store/drops/mappings.ts'
import { spoolPath } from './fetchDrop.ts'
import { type HeldProduct, holdProducts, linesOf, type PlacedLine } from './heldProducts.ts'
import { holdSlices } from './heldSlices.ts'
import { readDropFiles } from './readDropFiles.ts'
import type { Head, MappedBy, ReadTask, RowError, RowWarning, Slice } from './reader/messages.ts'
import { ownFolder } from './spool.ts'
import type { PublishDeps, StageDeps } from './stage.ts'

/** The contents of a drop's catalog and rate card files. */
export interface ReadEntries {
  readonly products: readonly DropEntry<HeldProduct>[]
  /** The version of the first file that states one. */
  readonly taxonomy_version: string | undefined
  readonly commits: readonly DropCommit[]
  /** The counts of rows that were refused one by one. */
  readonly counts: { readonly catalog: RowCounts; readonly rate_cards: RowCounts }
  readonly errors: readonly DropError[]
  readonly warnings: readonly DropWarning[]
  readonly mapped: readonly MappedFile[]
}

/** Thrown when the entries of a drop take more bytes than this process reads. */
export class LargeDrop extends Error {
  override name = 'LargeDrop'
}

/**
 * Reads the catalog and rate card files from the spool. A file that breaks counts as not read. Throws LargeDrop for entries of more than
 * `mostBytes` as JSON.
 */
export async function readEntries(deps: PublishDeps, run: OpenRun, signal: AbortSignal, mostBytes: number): Promise<ReadEntries> {
  let bytes = 0
  const count = (slice: Slice) => {
    bytes += slice.bytes
    if (bytes > mostBytes) throw new LargeDrop(`the entries of ${run.seller}/${run.drop_id} take more than ${mostBytes} bytes`)
  }
  const catalog = await readType(deps, run, 'catalog', signal, { count, entryOf: holdProducts(), isKept: true })
  const cards = await readType(deps, run, 'rate_cards', signal, { count, entryOf: ({ entry }) => entry as RateEntry, isKept: false })
  const versions = catalog.heads.flatMap((head) => (head.kind === 'catalog' ? [head.taxonomy_version] : []))
  return {
    products: catalog.lines.map(({ entry }) => entry),
    taxonomy_version: versions[0],
    commits: commitsOf(cards, run),
    counts: { catalog: refused(catalog), rate_cards: refused(cards) },
    errors: [...catalog.errors, ...cards.errors],
    warnings: [...catalog.warnings, ...cards.warnings],
    mapped: [...catalog.mapped, ...cards.mapped],
  }
}

/** Returns the part of a run that a reader needs. */
export async function readTaskOf(
  deps: Pick<StageDeps, 'db' | 'spool'>,
  run: OpenRun,
  type: DropFileType,
): Promise<ReadTask & { files: readonly DropRunFile[] }> {
  return {
    type,
    drop_id: run.drop_id,
    files: run.files.filter((file) => file.type === type).map((file) => ({ ...file, path: spoolPath(deps, run, file) })),
    folder: await ownFolder(join(deps.spool.folderOf(run), `slices-${type}`)),
    effective: run.effective ?? undefined,
    mappings: await mappingsOfRun(deps.db, run, type),
  }
}

export function errorsIn(file: string, errors: readonly RowError[]): DropError[] {
  return errors.map((error) => ({ file, value: undefined, ...error }))
}

export function mappedBy(file: string, { mapping, version }: MappedBy): MappedFile {
  return { file, mapping, version }
}

export function warningsIn(file: string, warnings: readonly RowWarning[]): DropWarning[] {
  return warnings.map((warning) => ({ file, ...warning }))
}

interface ReadFiles<T> {
  readonly lines: { readonly commit: number | undefined; readonly entry: DropEntry<T> }[]
  readonly heads: Head[]
  readonly errors: DropError[]
  readonly warnings: DropWarning[]
  readonly mapped: MappedFile[]
  rejected: number
  /** The files with rows that were refused. */
  readonly refusedFiles: Set<number>
}

/** Reads the files of a type. Slices that are kept stay in the spool, for texts that are read again. */
async function readType<T extends object>(
  deps: PublishDeps,
  run: OpenRun,
  type: DropFileType,
  signal: AbortSignal,
  read: { count(slice: Slice): void; entryOf(line: PlacedLine): T; readonly isKept: boolean },
): Promise<ReadFiles<T>> {
  const all = nothing<T>()
  const task = await readTaskOf(deps, run, type)
  if (task.files.length === 0) return all
  const held = read.isKept ? await holdSlices(join(deps.spool.folderOf(run), `held-${type}`)) : undefined
  const intern = interned()
  let ofFile = nothing<T>()
  for await (const message of readDropFiles(task, signal)) {
    const file = task.files[message.file]?.filename ?? ''
    if (message.kind === 'slice') {
      read.count(message)
      for await (const line of linesOf((await held?.add(message)) ?? message)) {
        const { row, rows = 1, commit } = line
        ofFile.lines.push({ commit, entry: { file, row, rows, value: intern(read.entryOf(line)) as T } })
      }
      ofFile.errors.push(...errorsIn(file, message.errors))
      ofFile.warnings.push(...warningsIn(file, message.warnings))
      ofFile.rejected += message.rejected
    } else if (message.kind === 'mapped') all.mapped.push(mappedBy(file, message))
    else if (message.kind === 'catalog' || message.kind === 'commit') ofFile.heads.push(message)
    else {
      if (message.kind === 'unreadable') ofFile = { ...nothing<T>(), errors: errorsIn(file, [message.error]) }
      if (ofFile.rejected > 0) all.refusedFiles.add(message.file)
      addFile(all, ofFile)
      ofFile = nothing()
    }
  }
  return all
}

function nothing<T>(): ReadFiles<T> {
  return { lines: [], heads: [], errors: [], warnings: [], mapped: [], rejected: 0, refusedFiles: new Set() }
}

function addFile<T>(all: ReadFiles<T>, { lines, heads, errors, warnings, rejected }: ReadFiles<T>): void {
  for (const line of lines) all.lines.push(line)
  all.heads.push(...heads)
  all.errors.push(...errors)
  all.warnings.push(...warnings)
  all.rejected += rejected
}

/**
 * Returns the commits in the order of their first rows. The entries of all files under one name, window and agreement are one commit. Its
 * bytes are those of these files.
 */
function commitsOf({ heads, lines, refusedFiles }: ReadFiles<RateEntry>, run: OpenRun): DropCommit[] {
  const files = run.files.filter(({ type }) => type === 'rate_cards')
  const entriesOf = new Map<number, DropEntry<RateEntry>[]>()
  for (const { commit = 0, entry } of lines) addTo(entriesOf, commit, entry)
  const alike = new Map<string, CommitHead[]>()
  for (const head of heads) {
    if (head.kind !== 'commit' || !entriesOf.has(head.number)) continue
    const { commit, effective, agreement_id } = head
    addTo(alike, JSON.stringify([commit, effective.start, effective.end, agreement_id]), head)
  }
  return [...alike.values()].map((own) => {
    const { commit, effective, agreement_id } = own[0] as CommitHead
    const hashes = own.map(({ file }) => files[file]?.sha256 ?? '').sort()
    const body_sha256 = createHash('sha256')
      .update([...hashes, commit].join('\n'))
      .digest('hex')
    const has_unread_rows = own.some(({ file }) => refusedFiles.has(file))
    const entries = own.flatMap(({ number }) => entriesOf.get(number) ?? [])
    return { commit, effective, agreement_id, body_sha256, has_unread_rows, entries }
  })
}

type CommitHead = Extract<Head, { kind: 'commit' }>

function refused({ rejected }: ReadFiles<unknown>): RowCounts {
  return { rows_written: 0, rows_rejected: rejected }
}

/** The most texts that are remembered at a time. Texts that each entry has for itself, such as references, would only fill the memory. */
const TEXTS_SHARED = 100_000
/** The most lists, each remembered by its JSON. */
const LISTS_SHARED = 1_000
/** The longest list that is remembered: as long as the declared values of a product. */
const VALUES_SHARED = 200

/** Returns a function that keeps each text and each list of an entry only once, since entries repeat a few of them a million times. */
function interned(): (entry: unknown) => unknown {
  const texts = new Map<string, string>()
  const lists = new Map<string, readonly unknown[]>()
  const share = (value: unknown): unknown => {
    if (typeof value === 'string') return oneOf(texts, value, value, TEXTS_SHARED)
    if (Array.isArray(value))
      return value.length > VALUES_SHARED ? value.map(share) : oneOf(lists, JSON.stringify(value), Object.freeze(value), LISTS_SHARED)
    if (typeof value !== 'object' || value === null) return value
    const members = value as Record<string, unknown>
    for (const [name, member] of Object.entries(members)) members[name] = share(member)
    return members
  }
  return share
}

function oneOf<T>(known: Map<string, T>, key: string, value: T, max: number): T {
  const same = known.get(key)
  if (same !== undefined) return same
  if (known.size === max) known.clear()
  known.set(key, value)
  return value
}

import { SAVE_AS_UTF8 } from '../../../adapters/tables/rowReader/signature.ts'
import { type Column, RETIRED_MEMBERS } from '../../../contract/dropColumns/columnsOf.ts'
import { pathIn } from '../../../contract/dropColumns/pathIn.ts'
import type { DropFileShape } from '../../../contract/dropColumns.ts'
import { SEPARATORS } from '../../../domain/csvSeparators.ts'
import type { RowError, RowWarning } from './messages.ts'

/** A column of a file that the contract knows. */
export interface NamedColumn {
  readonly at: number
  readonly isHead: boolean
  /** The path of the column's member. */
  readonly path: readonly string[]
  /** Undefined for a nested column, which holds several columns of the contract. */
  readonly column: Column | undefined
}

export interface ReadHeader {
  readonly columns: readonly NamedColumn[]
  readonly errors: readonly RowError[]
  /** The names of the required columns that the header lacks. */
  readonly missing: readonly string[]
  readonly warnings: readonly RowWarning[]
}

/** Finds the columns that a header names, in any case. Reports INVALID_HEADER for each name that is missing, listed twice or retired. */
export function readHeader(
  header: readonly string[],
  row: number,
  { entry, head }: Pick<DropFileShape, 'entry' | 'head'>,
  isNested = false,
): ReadHeader {
  const columns: NamedColumn[] = []
  const errors: RowError[] = []
  const warnings: RowWarning[] = []
  const seen = new Set<string>()
  const refuse = (message: string, field?: string) =>
    errors.push({ row, error_code: 'INVALID_HEADER', ...(field === undefined ? {} : { field, value: field }), message })
  for (const [at, sent] of header.entries()) {
    const name = sent.trim()
    if (name === '') continue
    const found =
      columnOf(entry, name, at, false) ??
      columnOf(head, name, at, true) ??
      (isNested ? (nestedColumn(entry, name, at, false) ?? nestedColumn(head, name, at, true)) : undefined) ??
      spokenColumn({ entry, head }, name, at)
    const unique = found?.path.join('.') ?? name.toLowerCase()
    if (RETIRED_MEMBERS.includes(name.toLowerCase())) refuse(`The column ${name} is not part of this contract; use product_id.`, name)
    else if (seen.has(unique)) refuse(`The column ${shown(name)} is listed twice.`, shown(name))
    else if (found !== undefined) columns.push(found)
    else warnings.push({ row, code: 'UNKNOWN_COLUMN', message: `The column ${shown(name)} is not a known column and was ignored.` })
    seen.add(unique)
  }
  const missing = missingIn(columns, entry)
  const separator = missing.length === 0 ? undefined : SEPARATORS.find(([mark]) => isSeparatedBy(mark, header, entry))
  if (header.every((name) => name.trim() === '')) refuse('The file has no header.')
  else if (separator !== undefined) refuse(separatedBy(...separator))
  else for (const name of missing) refuse(`The column ${name} is required.`, name)
  return { columns, errors, missing, warnings: errors.length > 0 ? [] : warnings }
}

/** Returns true if a header has its columns by another mark, even if one of its names has a comma. */
function isSeparatedBy(mark: string, header: readonly string[], known: readonly Column[]): boolean {
  if (header.length === 1) return header[0]?.includes(mark) === true
  const names = header
    .join(',')
    .split(mark)
    .map((name) => name.trim())
  const columns = names.flatMap((name, at) => columnOf(known, name, at, false) ?? [])
  return missingIn(columns, known).length === 0
}

function separatedBy(mark: string, name: string): string {
  const shownMark = mark === '\t' ? ' with a tab' : mark
  return `The columns are separated by ${name}; ${SAVE_AS_UTF8}, or put a line sep=${shownMark} above the header.`
}

function missingIn(columns: readonly NamedColumn[], known: readonly Column[]): string[] {
  const names = new Set(columns.map(({ path }) => path.join('.')))
  const isNamed = (name: string) => names.has(name) || name.split('.').some((_, index, parts) => names.has(parts.slice(0, index).join('.')))
  return known.filter(({ name, required }) => required && !isNamed(name)).map(({ name }) => name)
}

function columnOf(known: readonly Column[], sent: string, at: number, isHead: boolean): NamedColumn | undefined {
  for (const column of known) {
    const path = pathIn(column, sent)
    if (path !== undefined) return { at, isHead, path, column }
  }
  return undefined
}

/** Finds the one column that a heading such as Product ID can mean, written as people write names. */
function spokenColumn({ entry, head }: Pick<DropFileShape, 'entry' | 'head'>, sent: string, at: number): NamedColumn | undefined {
  const letters = lettersOf(sent)
  const found = [...entry, ...head].filter(({ name }) => lettersOf(name) === letters)
  const [column, ...others] = found
  if (letters === '' || column === undefined || others.length > 0) return undefined
  return { at, isHead: !entry.includes(column), path: column.name.split('.'), column }
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]/g, '')
}

function nestedColumn(known: readonly Column[], sent: string, at: number, isHead: boolean): NamedColumn | undefined {
  const prefix = `${sent.toLowerCase()}.`
  const found = known.find(({ name }) => name.startsWith(prefix))
  return found === undefined ? undefined : { at, isHead, path: found.name.slice(0, prefix.length - 1).split('.'), column: undefined }
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100).toWellFormed()}…` : name
}

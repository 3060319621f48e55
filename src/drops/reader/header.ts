import { type Column, RETIRED_MEMBERS } from '../../contract/dropColumns/columnsOf.ts'
import type { DropColumns } from '../../contract/dropColumns.ts'
import type { RowError, RowWarning } from './messages.ts'

/** A column of a file that the contract knows. */
export interface NamedColumn {
  readonly column: Column
  /** The path of its member. */
  readonly path: readonly string[]
  readonly isHead: boolean
  /** The place of its cell in a row. */
  readonly at: number
}

export interface ReadHeader {
  readonly columns: readonly NamedColumn[]
  readonly errors: readonly RowError[]
  readonly warnings: readonly RowWarning[]
}

/** Finds the columns that a header names, in any case. INVALID_HEADER for each name that is missing, there twice or retired. */
export function readHeader(header: readonly string[], row: number, { entry, head }: DropColumns): ReadHeader {
  const known = [...entry.map((column) => ({ column, isHead: false })), ...head.map((column) => ({ column, isHead: true }))]
  const columns: NamedColumn[] = []
  const errors: RowError[] = []
  const warnings: RowWarning[] = []
  const seen = new Set<string>()
  const refuse = (field: string, message: string) =>
    errors.push({ row, error_code: 'INVALID_HEADER', ...(field === '' ? {} : { field, value: field }), message })
  for (const [at, sent] of header.entries()) {
    const name = sent.trim()
    if (name === '') continue
    const found = known.map(({ column, isHead }) => ({ column, isHead, path: pathIn(column, name) })).find(({ path }) => path !== undefined)
    const unique = found?.path?.join('.') ?? name.toLowerCase()
    if (RETIRED_MEMBERS.includes(name.toLowerCase())) refuse(name, `The column ${name} is not part of this contract; use product.`)
    else if (seen.has(unique)) refuse(name, `The column ${name} is listed twice.`)
    else if (found?.path !== undefined) columns.push({ column: found.column, isHead: found.isHead, path: found.path, at })
    else warnings.push({ row, code: 'UNKNOWN_COLUMN', message: `The column ${shown(name)} is not a known column and was ignored.` })
    seen.add(unique)
  }
  const missing = entry.filter(({ name, required }) => required && !columns.some(({ column }) => column.name === name))
  const other = header.length === 1 ? ['; a semicolon', '\t a tab'].find((mark) => header[0]?.includes(mark[0] as string)) : undefined
  if (header.every((name) => name.trim() === '')) refuse('', 'The file has no header.')
  else if (other !== undefined) refuse('', `The header is separated by ${other.slice(2)}; separate columns by commas.`)
  else for (const { name } of missing) refuse(name, `The column ${name} is required.`)
  return { columns, errors, warnings: errors.length > 0 ? [] : warnings }
}

const FREE = '{code}'

/** Returns the path of the member that a name means; the free part of a name keeps its case. */
function pathIn({ name }: Column, sent: string): readonly string[] | undefined {
  if (!name.includes(FREE)) return name.toLowerCase() === sent.toLowerCase() ? name.split('.') : undefined
  const [before = '', after = ''] = name.split(FREE)
  const lower = sent.toLowerCase()
  if (!lower.startsWith(before) || !lower.endsWith(after) || sent.length <= before.length + after.length) return undefined
  const free = sent.slice(before.length, sent.length - after.length)
  return [...before.split('.').slice(0, -1), free, ...after.split('.').slice(1)]
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name
}

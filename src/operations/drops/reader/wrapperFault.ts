import { DROP_FILE_SHAPES, type DropFileShape } from '../../../contract/dropColumns.ts'
import type { RowError } from './messages.ts'

/** Returns the error of an object that is no entry, but holds the entries of a file in a member with another name than the PUT has. */
export function wrapperFault(row: number, entry: unknown, { entry: columns, list }: DropFileShape): RowError | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined
  const known = new Set(columns.map(({ name }) => name.split('.')[0]))
  if (Object.keys(entry).some((name) => known.has(name))) return undefined
  const path = listIn(entry, list)
  if (path === undefined) return undefined
  const other = Object.entries(DROP_FILE_SHAPES).find(([, shape]) => shape.list === path)?.[0]
  const message =
    other === undefined
      ? `The file has its entries in the member ${path}; they are expected in ${list}, or as the whole file.`
      : `The file has the member ${path} of a file of the type ${other}; the entries of its type are expected in ${list}.`
  return { row, error_code: 'INVALID_HEADER', field: path, message }
}

/** Returns the path of a member that is a list, or of the list that a member has. */
function listIn(entry: object, list: string): string | undefined {
  for (const [name, member] of Object.entries(entry)) {
    if (Array.isArray(member)) return name
    if (typeof member === 'object' && member !== null && Array.isArray((member as Record<string, unknown>)[list])) return `${name}.${list}`
  }
  return undefined
}

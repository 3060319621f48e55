import type { Column } from '../../../contract/dropColumns/columnsOf.ts'

/** Returns the members of an entry without those that are null, as a flat file has no cell for them. Members of free JSON stay as they are. */
export function withoutNulls(value: unknown, columns: readonly Column[], path = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, columns, path))
  if (typeof value !== 'object' || value === null || columns.some(({ name, kind }) => kind === 'json' && name === path)) return value
  const members = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, columns, path === '' ? name : `${path}.${name}`)]))
}

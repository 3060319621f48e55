import { readCursor, writeCursor } from './cursor.ts'
import type { Deps } from './handler.ts'

/** One page of a list: the binding of its cursor to this list and reader, and its length. */
export interface Page {
  readonly bound: readonly string[]
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Returns where the page starts, as written by `pageOf`; undefined at the beginning. INVALID_INPUT on another list's cursor. */
export function positionOf({ cursorKey }: Pick<Deps, 'cursorKey'>, { bound, cursor }: Page): string[] | undefined {
  return cursor === undefined ? undefined : readCursor(cursorKey, bound, cursor, 'cursor').map(String)
}

/** Cuts a page from `limit + 1` rows; the cursor of the next page is null at the end. */
export function pageOf<Row>(
  { cursorKey }: Pick<Deps, 'cursorKey'>,
  { bound, limit }: Page,
  rows: readonly Row[],
  position: (row: Row) => readonly string[],
): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next_cursor = rows.length > limit && last !== undefined ? writeCursor(cursorKey, bound, position(last)) : null
  return { items, next_cursor }
}

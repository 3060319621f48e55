import { readCursor, writeCursor } from './cursor.ts'
import type { Deps } from './handler.ts'

/** One page of a list: what binds its cursor to this list and reader, and how far it goes. */
export interface Page {
  readonly bound: readonly string[]
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Where the page starts, as written by `pageOf`; undefined at the beginning. INVALID_INPUT on a cursor of another list. */
export function positionOf({ cursorKey }: Pick<Deps, 'cursorKey'>, { bound, cursor }: Page): string[] | undefined {
  return cursor === undefined ? undefined : readCursor(cursorKey, bound, cursor, 'cursor').map(String)
}

/** Cuts a page from `limit + 1` rows; the cursor of the next one is null at the end. */
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

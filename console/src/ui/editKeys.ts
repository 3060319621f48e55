/** A cell of a grid, by the indexes of its row and its column. */
export interface CellAt {
  readonly row: number
  readonly column: number
}

/** How far to move; `Infinity` goes to the edge. */
export interface Step {
  readonly rows?: number
  readonly columns?: number
}

/** What a key does in a grid that is not being typed into. */
export type KeyIntent =
  | { readonly move: Step }
  | { readonly edit: true; readonly type?: string }
  | { readonly clear: true }
  | { readonly leave: true }

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns undefined for a key that the page, the browser or the system has a use for. */
export function keyIntent({ key, ctrlKey, metaKey, altKey }: Pressed, pageKeys: string): KeyIntent | undefined {
  if (altKey) return undefined
  if (ctrlKey || metaKey) return MOD_MOVES[key]
  const move = MOVES[key]
  if (move !== undefined) return move
  if (key === 'Enter' || key === 'F2') return { edit: true }
  if (key === 'Delete' || key === 'Backspace') return { clear: true }
  if (key === 'Escape') return { leave: true }
  return key.length === 1 && !pageKeys.includes(key) ? { edit: true, type: key } : undefined
}

const EDGE = Number.POSITIVE_INFINITY
const PAGE_ROWS = 20

const MOVES: Readonly<Record<string, KeyIntent>> = {
  ArrowDown: { move: { rows: 1 } },
  ArrowUp: { move: { rows: -1 } },
  ArrowRight: { move: { columns: 1 } },
  ArrowLeft: { move: { columns: -1 } },
  PageDown: { move: { rows: PAGE_ROWS } },
  PageUp: { move: { rows: -PAGE_ROWS } },
  Home: { move: { columns: -EDGE } },
  End: { move: { columns: EDGE } },
}

const MOD_MOVES: Readonly<Record<string, KeyIntent>> = {
  ArrowDown: { move: { rows: EDGE } },
  ArrowUp: { move: { rows: -EDGE } },
  Home: { move: { rows: -EDGE, columns: -EDGE } },
  End: { move: { rows: EDGE, columns: EDGE } },
}

export function moved({ row, column }: CellAt, { rows = 0, columns = 0 }: Step, size: { rows: number; columns: number }): CellAt {
  return { row: within(row + rows, size.rows), column: within(column + columns, size.columns) }
}

function within(index: number, size: number): number {
  return Math.max(0, Math.min(size - 1, index))
}

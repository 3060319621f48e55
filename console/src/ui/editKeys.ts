/** A cell of a grid, by row index and column index. */
export interface CellAt {
  readonly row: number
  readonly column: number
}

/** The distance of a move; `Infinity` goes to the edge. */
export interface Step {
  readonly rows?: number
  readonly columns?: number
}

/** The effect of a key in a grid while no cell is being edited. */
export type KeyIntent =
  | { readonly move: Step }
  | { readonly extend: Step }
  | { readonly all: true }
  | { readonly edit: true; readonly type?: string }
  | { readonly clear: true }
  | { readonly leave: true }

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns the effect of a key; undefined for a key that the page, the browser or the system uses. */
export function keyIntent({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed, pageKeys: string): KeyIntent | undefined {
  if (altKey) return undefined
  const isMod = ctrlKey || metaKey
  const step = (isMod ? MOD_MOVES : MOVES)[key]
  if (step !== undefined) return shiftKey ? { extend: step } : { move: step }
  if (isMod) return key.toLowerCase() === 'a' ? { all: true } : undefined
  if (key === 'Enter' || key === 'F2') return { edit: true }
  if (key === 'Delete' || key === 'Backspace') return { clear: true }
  if (key === 'Escape') return { leave: true }
  return key.length === 1 && !pageKeys.includes(key) ? { edit: true, type: key } : undefined
}

const EDGE = Number.POSITIVE_INFINITY
const PAGE_ROWS = 20

const MOVES: Readonly<Record<string, Step>> = {
  ArrowDown: { rows: 1 },
  ArrowUp: { rows: -1 },
  ArrowRight: { columns: 1 },
  ArrowLeft: { columns: -1 },
  PageDown: { rows: PAGE_ROWS },
  PageUp: { rows: -PAGE_ROWS },
  Home: { columns: -EDGE },
  End: { columns: EDGE },
}

const MOD_MOVES: Readonly<Record<string, Step>> = {
  ArrowDown: { rows: EDGE },
  ArrowUp: { rows: -EDGE },
  ArrowRight: { columns: EDGE },
  ArrowLeft: { columns: -EDGE },
  Home: { rows: -EDGE, columns: -EDGE },
  End: { rows: EDGE, columns: EDGE },
}

export function moved({ row, column }: CellAt, { rows = 0, columns = 0 }: Step, size: { rows: number; columns: number }): CellAt {
  return { row: within(row + rows, size.rows), column: within(column + columns, size.columns) }
}

function within(index: number, size: number): number {
  return Math.max(0, Math.min(size - 1, index))
}

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { EditGridProps } from './EditGrid.tsx'
import type { Leave } from './EditGridRow.tsx'
import { type CellAt, type KeyIntent, keyIntent, moved, type Step } from './editKeys.ts'
import { cellsOf, copiedText, placeOf, rangeOf } from './editRange.ts'

export interface CellHandlers {
  /** Called when the mouse is pressed on a cell: makes it active, or extends the selection to it. */
  readonly at: (row: number, column: number, isExtending: boolean) => void
  /** Called when the mouse is pressed on a row number: selects the row, or all rows up to it. */
  readonly row: (row: number, isExtending: boolean) => void
  /** Called when the mouse enters a cell or a row number: extends the selection to it if the button was pressed in the grid. */
  readonly over: (row: number, column: number | undefined) => void
  readonly edit: (row: number, column: number) => void
  readonly leave: (text: string | undefined, leave: Leave) => void
}

type Scroller = RefObject<HTMLDivElement | null>

/** Handles keys, mouse and clipboard in a grid. Rows hidden by the filter are not changed, since the user would not notice. */
export function useGridEditing(props: EditGridProps, scroller: Scroller) {
  const { rows, selection, pageKeys = '' } = props
  const [editing, setEditing] = useState<string>()
  const grid = movesOf(props)
  const set = setterOf(props)
  const mouse = useMouse(props, scroller, grid.choose)
  const handlers = useCellHandlers({
    ...mouse,
    edit: (row, column) => {
      grid.choose({ row, column }, false)
      setEditing(textAt(props, { row, column }))
    },
    leave: (text, { to }) => {
      setEditing(undefined)
      if (text !== undefined) set([selection.at], text)
      if (to !== undefined) grid.go(to)
      if (to !== undefined || text === undefined) scroller.current?.focus({ preventScroll: true })
    },
  })
  const act = (intent: KeyIntent) => {
    if ('move' in intent) grid.go(intent.move)
    else if ('extend' in intent) grid.extend(intent.extend)
    else if ('all' in intent) grid.all()
    else if ('leave' in intent) grid.leave(() => scroller.current?.blur())
    else if (grid.isHidden) return
    else if ('clear' in intent) set(grid.cells().flat(), '')
    else setEditing(intent.type ?? textAt(props, selection.at))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (editing !== undefined || rows.length === 0 || event.nativeEvent.isComposing) return
    const intent = keyIntent(event.nativeEvent, pageKeys)
    if (intent === undefined) return
    event.preventDefault()
    act(intent)
  }
  return { editing, handlers, onKeyDown, ...clipboardOf(props, grid, set, editing === undefined) }
}

/** Handles selection by mouse: cells from the pressed cell, or rows from a pressed row number. */
function useMouse(
  { columns, selection }: EditGridProps,
  scroller: Scroller,
  choose: ReturnType<typeof movesOf>['choose'],
): Pick<CellHandlers, 'at' | 'row' | 'over'> {
  const dragFrom = useRef<'cell' | 'row'>(undefined)
  useEffect(() => {
    const end = () => {
      dragFrom.current = undefined
    }
    window.addEventListener('mouseup', end)
    return () => window.removeEventListener('mouseup', end)
  }, [])
  const press = (from: 'cell' | 'row') => {
    dragFrom.current = from
    // Text that is being typed belongs to the cell that the user leaves.
    scroller.current?.querySelector('input')?.blur()
  }
  const toRow = (row: number, isExtending: boolean) =>
    choose({ row, column: columns.length - 1 }, true, { row: isExtending ? selection.at.row : row, column: 0 })
  return {
    at: (row, column, isExtending) => {
      press('cell')
      choose({ row, column }, isExtending)
    },
    row: (row, isExtending) => {
      press('row')
      toRow(row, isExtending)
    },
    over: (row, column) => {
      if (dragFrom.current === 'row') toRow(row, true)
      else if (dragFrom.current === 'cell' && column !== undefined) choose({ row, column }, true)
    },
  }
}

/** Keeps the handlers' identity, so that a row renders only when it changes. */
function useCellHandlers(now: CellHandlers): CellHandlers {
  const latest = useRef(now)
  latest.current = now
  return useMemo<CellHandlers>(
    () => ({
      at: (...to) => latest.current.at(...to),
      row: (...to) => latest.current.row(...to),
      over: (...to) => latest.current.over(...to),
      edit: (...at) => latest.current.edit(...at),
      leave: (...how) => latest.current.leave(...how),
    }),
    [],
  )
}

/** Moves the active cell, or the opposite corner of the selection, by steps. */
function movesOf({ columns, rows, shown, selection, onSelection }: EditGridProps) {
  const { at, to = at } = selection
  const size = { rows: shown?.length ?? rows.length, columns: columns.length }
  const stepped = (from: CellAt, step: Step) => {
    const next = moved({ row: Math.max(0, placeOf(from.row, shown)), column: from.column }, step, size)
    return { row: shown?.[next.row] ?? next.row, column: next.column }
  }
  const range = rangeOf(selection, shown)
  return {
    isHidden: range === undefined,
    cells: () => (range === undefined ? [] : cellsOf(range, shown)),
    go: (step: Step) => onSelection({ at: stepped(at, step) }),
    extend: (step: Step) => onSelection({ at, to: stepped(to, step) }),
    all: () => onSelection({ at: stepped(at, FIRST), to: stepped(at, LAST) }),
    /** Escape goes one step back: from a range to a single cell, then out of the grid. */
    leave: (out: () => void) => (selection.to === undefined ? out() : onSelection({ at })),
    choose: (cell: CellAt, isExtending: boolean, from = at) => onSelection(isExtending ? { at: from, to: cell } : { at: cell }),
  }
}

const EDGE = Number.POSITIVE_INFINITY
const FIRST: Step = { rows: -EDGE, columns: -EDGE }
const LAST: Step = { rows: EDGE, columns: EDGE }

function textAt({ rows, columns }: EditGridProps, { row, column }: CellAt): string {
  return rows[row]?.[columns[column]?.id ?? ''] ?? ''
}

/** Writes one text into cells, and reports the cells that it changes. */
function setterOf(props: EditGridProps) {
  return (cells: readonly CellAt[], text: string) => {
    const edits = cells.flatMap((cell) => {
      const column = props.columns[cell.column]
      return column === undefined || text === textAt(props, cell) ? [] : [{ row: cell.row, column: column.id, text }]
    })
    if (edits.length > 0) props.onChange(edits)
  }
}

/** Copies, cuts and pastes the selection. While a cell is being edited, these keys act on its text instead. */
function clipboardOf(props: EditGridProps, grid: ReturnType<typeof movesOf>, set: ReturnType<typeof setterOf>, isGrids: boolean) {
  const isOff = !isGrids || grid.isHidden
  const copy = (event: ClipboardEvent) => {
    event.preventDefault()
    event.clipboardData.setData('text/plain', copiedText(grid.cells().map((row) => row.map((cell) => textAt(props, cell)))))
  }
  return {
    onCopy: (event: ClipboardEvent) => {
      if (!isOff) copy(event)
    },
    onCut: (event: ClipboardEvent) => {
      if (isOff) return
      copy(event)
      set(grid.cells().flat(), '')
    },
    onPaste: (event: ClipboardEvent) => {
      if (isOff) return
      event.preventDefault()
      props.onPaste(event.clipboardData.getData('text/plain'))
    },
  }
}

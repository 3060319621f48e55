import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type Ref, type RefObject, useEffect, useId, useImperativeHandle, useRef } from 'react'
import classes from './EditGrid.module.css'
import { EditGridRow } from './EditGridRow.tsx'
import type { CellAt } from './editKeys.ts'
import { type CellRange, placeOf, rangeOf, type Selection, sizeOf } from './editRange.ts'
import { countText } from './Money.tsx'
import { useGridEditing } from './useGridEditing.ts'

export interface EditColumn {
  readonly id: string
  readonly title: string
  /** At least so many pixels; what is left of the room is shared by width. */
  readonly width: number
  readonly align?: 'right'
}

/** The texts of a row by the id of their column; a column without one is empty. */
export type EditRow = Readonly<Record<string, string>>

/** The faults of a row by the id of their column. */
export type RowFaults = ReadonlyMap<string, string>

/** A cell that gets another text, by the index of its row and the id of its column. */
export interface CellEdit {
  readonly row: number
  readonly column: string
  readonly text: string
}

export interface EditGridProps {
  readonly label: string
  readonly columns: readonly EditColumn[]
  readonly rows: readonly EditRow[]
  /** The indexes of the rows to show, in order; all if omitted. */
  readonly shown?: readonly number[] | undefined
  readonly faultsOf: (row: number) => RowFaults | undefined
  /** The cell that is typed into, and what is selected with it. */
  readonly selection: Selection
  readonly onSelection: (selection: Selection) => void
  readonly onChange: (edits: readonly CellEdit[]) => void
  /** Called with the text of the clipboard, to fill from the first cell of the selection. */
  readonly onPaste: (text: string) => void
  /** Keys that the page has a use for, which do not begin to type. */
  readonly pageKeys?: string
  /** The element to focus. */
  readonly gridRef?: Ref<HTMLElement | null>
}

const ROW_PX = 28
const NUMBER_PX = 52

/**
 * A table of any length that is edited like a spreadsheet: arrows move, with Shift they select, typing replaces, Enter edits, a paste fills from the
 * first cell of what is selected.
 */
export function EditGrid(props: EditGridProps) {
  const { label, columns, rows, shown, selection } = props
  const { at, to = at } = selection
  const range = rangeOf(selection, shown)
  const isWholeRow = range !== undefined && sizeOf(range).columns === columns.length
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(props.gridRef, () => scroller.current, [])
  const { editing, handlers, ...events } = useGridEditing(props, scroller)
  const virtual = useRowsInView(props, scroller, editing !== undefined, isWholeRow)
  // Where the selection ends is what is in view; a name of a cell that does not exist says nothing.
  const places = new Set(virtual.getVirtualItems().map(({ index }) => index))
  const reached = [to, at].find(({ row }) => places.has(placeOf(row, shown)))
  useEffect(() => {
    if (!isWholeRow) head.current?.children[to.column + 1]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [to.column, isWholeRow])
  const template = [`${NUMBER_PX}px`, ...columns.map(({ width }) => `minmax(${width}px, ${width}fr)`)].join(' ')
  const minWidth = columns.reduce((sum, { width }) => sum + width, NUMBER_PX)
  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        aria-activedescendant={reached && `${id}-${reached.row}-${reached.column}`}
        tabIndex={0}
        className={classes.grid}
        {...events}
      >
        <Heads headRef={head} columns={columns} style={{ gridTemplateColumns: template, minWidth }} />
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize(), minWidth }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const number = shown?.[index] ?? index
            const row = rows[number]
            if (row === undefined) return null
            const isActive = number === at.row
            return (
              <EditGridRow
                key={number}
                {...{ id, columns, row, template, handlers }}
                index={number}
                top={start}
                faults={props.faultsOf(number)}
                activeColumn={isActive ? at.column : -1}
                editing={isActive ? editing : undefined}
                {...columnsAt(range, index)}
              />
            )
          })}
        </div>
      </div>
      <Notes {...props} />
    </div>
  )
}

/** The rows that exist, which are those in view. Where the selection ends is scrolled into it, unless all is selected. */
function useRowsInView(
  { rows, shown, selection }: EditGridProps,
  scroller: RefObject<HTMLDivElement | null>,
  isTyping: boolean,
  isWholeRow: boolean,
) {
  const { at, to = at } = selection
  const count = shown?.length ?? rows.length
  const place = placeOf(at.row, shown)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollPaddingEnd: ROW_PX,
    // The row that is typed into stays, however far it is scrolled away, or its text would be lost.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      return !isTyping || place < 0 || indexes.includes(place) ? indexes : [...indexes, place].sort((a, b) => a - b)
    },
  })
  const isAll = isWholeRow && placeOf(at.row, shown) === 0 && placeOf(to.row, shown) === count - 1
  const reached = isAll ? -1 : placeOf(to.row, shown)
  useEffect(() => {
    if (reached >= 0 && reached < count) virtual.scrollToIndex(reached)
  }, [reached, count, virtual])
  return virtual
}

function Heads({ headRef, columns, style }: { headRef: Ref<HTMLDivElement>; columns: readonly EditColumn[]; style: CSSProperties }) {
  return (
    <div ref={headRef} role="row" aria-rowindex={1} className={classes.head} style={style}>
      <span role="columnheader" className={classes.number}>
        Row
      </span>
      {columns.map(({ id, title, align }) => (
        <span key={id} role="columnheader" className={`${classes.cell} ${align === 'right' ? classes.right : ''}`}>
          {title}
        </span>
      ))}
    </div>
  )
}

/** Which columns of the row at a place are selected: numbers, so that a row that the selection does not concern stays as it is. */
function columnsAt(range: CellRange | undefined, place: number): { left: number; right: number } {
  const isWithin = range !== undefined && place >= range.top && place <= range.bottom
  return isWithin ? { left: range.left, right: range.right } : { left: -1, right: -1 }
}

/** What is wrong with the cell that is typed into, and how much is selected. */
function Notes({ columns, faultsOf, selection, shown }: EditGridProps) {
  const { at } = selection
  const fault = faultsOf(at.row)?.get(columns[at.column]?.id ?? '')
  return (
    <>
      <p role="status" className={classes.fault}>
        {fault !== undefined && `! ${cellName(at, columns)}: ${fault}`}
      </p>
      <p role="status" className={classes.selection}>
        {selectionText(selection, shown)}
      </p>
    </>
  )
}

function cellName({ row, column }: CellAt, columns: readonly EditColumn[]): string {
  return `Row ${row + 1}, ${columns[column]?.title}`
}

function selectionText(selection: Selection, shown: EditGridProps['shown']): string {
  const range = rangeOf(selection, shown)
  if (range === undefined) return ''
  const { rows, columns } = sizeOf(range)
  if (rows * columns === 1) return ''
  return `${countText(rows * columns, 'cell')} selected: ${countText(rows, 'row')}, ${countText(columns, 'column')}`
}

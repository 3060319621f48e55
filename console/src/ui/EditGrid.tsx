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
  /** The minimum width in pixels; the columns share the remaining width in proportion. */
  readonly width: number
  readonly align?: 'right'
}

/** The texts of a row by column id; a missing column is empty. */
export type EditRow = Readonly<Record<string, string>>

/** The faults of a row by column id. */
export type RowFaults = ReadonlyMap<string, string>

/** A new text for a cell, by row index and column id. */
export interface CellEdit {
  readonly row: number
  readonly column: string
  readonly text: string
}

export interface EditGridProps {
  readonly label: string
  readonly columns: readonly EditColumn[]
  readonly rows: readonly EditRow[]
  /** The indexes of the rows to show, in order; if omitted, all rows. */
  readonly shown?: readonly number[] | undefined
  readonly faultsOf: (row: number) => RowFaults | undefined
  /** The active cell and the selected range. */
  readonly selection: Selection
  readonly onSelection: (selection: Selection) => void
  readonly onChange: (edits: readonly CellEdit[]) => void
  /** Called with the text of the clipboard; the paste fills the cells from the first selected one on. */
  readonly onPaste: (text: string) => void
  /** Keys that the page uses, so that they do not start an edit. */
  readonly pageKeys?: string
  /** The element to focus. */
  readonly gridRef?: Ref<HTMLElement | null>
}

const ROW_PX = 28
const NUMBER_PX = 52

/**
 * A table of any length, edited like a spreadsheet: arrows move, Shift with arrows selects, typing replaces, Enter edits, and a paste
 * fills the cells from the first selected one on.
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
  // Names the end of the selection, or else the active cell, if it is rendered: the id of a missing cell tells a screen reader nothing.
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

/** Renders only the visible rows, and scrolls to the end of the selection unless all rows are selected. */
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
    // The row being edited stays rendered however far it is scrolled away, or its text would be lost.
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

/** Returns the selected columns of a row as numbers, so that rows outside the selection do not render again. */
function columnsAt(range: CellRange | undefined, place: number): { left: number; right: number } {
  const isWithin = range !== undefined && place >= range.top && place <= range.bottom
  return isWithin ? { left: range.left, right: range.right } : { left: -1, right: -1 }
}

/** Shows the fault of the active cell, and the size of the selection. */
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

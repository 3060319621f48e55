import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import classes from './Grid.module.css'
import { rowPlace, rowsToRender, useOnPaper } from './paper.ts'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  /** The minimum width in pixels. */
  readonly width: number
  /** The column's share of the remaining width. */
  readonly grow?: number
  readonly align?: 'right'
  readonly cell: (row: Row) => ReactNode
}

export interface GridProps<Row> {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row) => string
  /** The id of the row that the keys act on. */
  readonly active: string | undefined
  readonly onActive: (id: string) => void
  readonly onOpen?: (id: string) => void
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (id: string) => void
  /** Called when the last rows come into view. */
  readonly onEnd?: () => void
  readonly rowHeight?: number
}

/**
 * A table of any length: only visible rows are rendered, but all loaded ones in print. The grid has the focus and announces its active row.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, columns, rows, rowId, active, selected, onSelect, rowHeight = ROW_PX } = props
  const id = useId()
  const activeIndex = active === undefined ? -1 : rows.findIndex((row) => rowId(row) === active)
  const scroller = useRef<HTMLDivElement>(null)
  const isOnPaper = useOnPaper(scroller)
  const virtual = useRowsInView(props, scroller, rowHeight, activeIndex)
  const tracks = columns.map(isOnPaper ? paperTrackOf : trackOf)
  const template = [...(onSelect ? [`${CHECK_PX}px`] : []), ...tracks].join(' ')
  const minWidth = isOnPaper ? 0 : columns.reduce((sum, { width }) => sum + width, onSelect ? CHECK_PX : 0)
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={onSelect !== undefined}
      aria-activedescendant={activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
      tabIndex={0}
      className={classes.grid}
    >
      <Heads columns={columns} isSelectable={onSelect !== undefined} style={{ gridTemplateColumns: template, minWidth }} />
      <div role="rowgroup" className={classes.body} style={isOnPaper ? {} : { height: virtual.getTotalSize(), minWidth }}>
        {rowsToRender(virtual, isOnPaper).map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          const key = rowId(row)
          return (
            <GridRow
              key={key}
              {...props}
              row={row}
              rowKey={key}
              domId={`${id}-${index}`}
              index={index}
              style={{ gridTemplateColumns: template, ...rowPlace(start, rowHeight) }}
              isActive={index === activeIndex}
              isSelected={selected?.has(key)}
            />
          )
        })}
      </div>
    </div>
  )
}

/** Keeps the active row in view, and calls `onEnd` when the last rows come into view. */
function useRowsInView<Row>(
  { rows, onEnd }: GridProps<Row>,
  scroller: RefObject<HTMLElement | null>,
  rowHeight: number,
  activeIndex: number,
) {
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  })
  const last = virtual.getVirtualItems().at(-1)?.index ?? -1
  useEffect(() => {
    if (last >= rows.length - 5 && rows.length > 0) onEnd?.()
  }, [last, rows.length, onEnd])
  useEffect(() => {
    if (activeIndex >= 0) virtual.scrollToIndex(activeIndex)
  }, [activeIndex, virtual])
  return virtual
}

function Heads<Row>({ columns, isSelectable, style }: { columns: readonly Column<Row>[]; isSelectable: boolean; style: CSSProperties }) {
  return (
    <div role="row" aria-rowindex={1} className={classes.head} style={style}>
      {isSelectable && (
        <span role="columnheader" className={classes.cell}>
          <span className={classes.hidden}>Selected</span>
        </span>
      )}
      {columns.map(({ id, title, align }) => (
        <span key={id} role="columnheader" className={cellClass(align)}>
          {title}
        </span>
      ))}
    </div>
  )
}

interface GridRowProps<Row> extends GridProps<Row> {
  row: Row
  rowKey: string
  domId: string
  index: number
  style: CSSProperties
  isActive: boolean
  isSelected: boolean | undefined
}

function GridRow<Row>({ row, rowKey, domId, index, style, columns, isActive, isSelected, onActive, onOpen, onSelect }: GridRowProps<Row>) {
  return (
    <div
      id={domId}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected ?? isActive}
      className={`${classes.row} ${isActive ? classes.active : ''}`}
      style={style}
      onClick={() => onActive(rowKey)}
      onDoubleClick={() => onOpen?.(rowKey)}
    >
      {onSelect && (
        <span role="gridcell" className={classes.cell}>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select row ${index + 1}`}
            className={classes.check}
            checked={isSelected ?? false}
            onChange={() => onSelect(rowKey)}
            onClick={(event) => event.stopPropagation()}
          />
        </span>
      )}
      {columns.map(({ id, align, cell }) => (
        <span key={id} role="gridcell" className={cellClass(align)}>
          {cell(row)}
        </span>
      ))}
    </div>
  )
}

const CHECK_PX = 32
const ROW_PX = 32

/** Returns the column's track of the CSS grid. */
function trackOf<Row>({ width, grow }: Column<Row>): string {
  return grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`
}

/** Returns the column's track in print: paper has a fixed width, so the columns share it. */
function paperTrackOf<Row>({ width }: Column<Row>): string {
  return `minmax(0, ${width}fr)`
}

function cellClass(align: 'right' | undefined): string {
  return `${classes.cell} ${align === 'right' ? classes.right : ''}`
}

/** Returns the id `step` rows away from the active one, without leaving the list. */
export function neighbor(ids: readonly string[], active: string | undefined, step: number): string | undefined {
  const at = active === undefined ? -1 : ids.indexOf(active)
  if (at < 0) return ids[0]
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))]
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, memo, type Ref, useEffect, useId, useMemo, useRef } from 'react'
import type { CellAt } from './editKeys.ts'
import classes from './HeatMap.module.css'
import { rowPlace, rowsToRender, useOnPaper } from './paper.ts'

export interface HeatColumn {
  readonly id: string
  readonly title: string
  /** Explains the title, such as the dates of a week. */
  readonly gloss?: string
}

export interface HeatCell {
  readonly text: string
  /** The strength of the cell's color, from 0 to 1. */
  readonly level: number
  /** The cell's accessible name. */
  readonly label: string
  readonly mark?: boolean | undefined
}

interface HeatMapProps {
  readonly label: string
  /** The names of the rows. */
  readonly rows: readonly string[]
  readonly columns: readonly HeatColumn[]
  readonly cellOf: (row: string, column: string) => HeatCell | undefined
  readonly at: CellAt
  readonly onAt: (at: CellAt) => void
}

const ROW_PX = 32
const NAME_PX = 200
const CELL_PX = 62

/** Shows values as figures on colors, so that nobody has to rely on either. Only visible rows are rendered, but all of them in print. */
export function HeatMap({ label, rows, columns, cellOf, at, onAt }: HeatMapProps) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollPaddingEnd: 48,
  })
  useEffect(() => {
    if (at.row < rows.length) virtual.scrollToIndex(at.row)
    head.current?.children[at.column + 1]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [at.row, at.column, rows.length, virtual])
  const latest = useRef(onAt)
  latest.current = onAt
  const choose = useMemo(() => (to: CellAt) => latest.current(to), [])
  const isOnPaper = useOnPaper(scroller)
  const { template, minWidth } = tracksOf(columns.length, isOnPaper)
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={rows.length > 0 ? `${id}-${at.row}-${at.column}` : undefined}
      tabIndex={0}
      className={classes.map}
    >
      <Heads headRef={head} columns={columns} style={{ gridTemplateColumns: template, minWidth }} />
      <div role="rowgroup" className={classes.body} style={isOnPaper ? {} : { height: virtual.getTotalSize(), minWidth }}>
        {rowsToRender(virtual, isOnPaper).map(({ index, start }) => (
          <HeatRow
            key={rows[index]}
            id={id}
            name={rows[index] ?? ''}
            index={index}
            top={start}
            template={template}
            columns={columns}
            cellOf={cellOf}
            activeColumn={index === at.row ? at.column : -1}
            choose={choose}
          />
        ))}
      </div>
    </div>
  )
}

/** Returns the tracks of the columns and their minimum total width in px. Paper has a fixed width, so the columns share it. */
function tracksOf(columns: number, isOnPaper: boolean) {
  if (isOnPaper) return { template: `minmax(0, ${NAME_PX}fr) repeat(${columns}, minmax(0, ${CELL_PX}fr))`, minWidth: 0 }
  return { template: `${NAME_PX}px repeat(${columns}, minmax(${CELL_PX}px, 1fr))`, minWidth: NAME_PX + columns * CELL_PX }
}

function Heads({ headRef, columns, style }: { headRef: Ref<HTMLDivElement>; columns: readonly HeatColumn[]; style: CSSProperties }) {
  return (
    <div ref={headRef} role="row" aria-rowindex={1} className={classes.head} style={style}>
      <span role="columnheader" className={classes.name}>
        Product
      </span>
      {columns.map(({ id, title, gloss }) => (
        <span key={id} role="columnheader" className={classes.column}>
          {title}
          <span className={classes.gloss}>{gloss}</span>
        </span>
      ))}
    </div>
  )
}

interface HeatRowProps extends Pick<HeatMapProps, 'columns' | 'cellOf'> {
  readonly id: string
  readonly name: string
  readonly index: number
  /** The distance from the first row in px; undefined in print, where rows follow one another. */
  readonly top: number | undefined
  readonly template: string
  readonly activeColumn: number
  readonly choose: (at: CellAt) => void
}

const HeatRow = memo(function HeatRow({ id, name, index, top, template, columns, cellOf, activeColumn, choose }: HeatRowProps) {
  return (
    <div role="row" aria-rowindex={index + 2} className={classes.row} style={{ gridTemplateColumns: template, ...rowPlace(top, ROW_PX) }}>
      <span role="rowheader" className={`${classes.name} ${activeColumn >= 0 ? classes.here : ''}`} title={name}>
        {name}
      </span>
      {columns.map(({ id: column }, at) => {
        const cell = cellOf(name, column)
        return (
          <span
            key={column}
            id={`${id}-${index}-${at}`}
            role="gridcell"
            aria-selected={at === activeColumn}
            aria-label={cell?.label ?? `${name} ${column}: nothing published`}
            title={cell?.label}
            className={`${classes.cell} ${at === activeColumn ? classes.active : ''}`}
            style={{ '--level': cell?.level ?? 0 } as CSSProperties}
            onClick={() => choose({ row: index, column: at })}
          >
            {cell?.text ?? ''}
            {cell?.mark && <span className={classes.mark}>?</span>}
          </span>
        )
      })}
    </div>
  )
})

import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useId, useMemo, useRef } from 'react'
import type { CellAt } from './editKeys.ts'
import classes from './HeatMap.module.css'

export interface HeatColumn {
  readonly id: string
  readonly title: string
  /** What the title means, such as the dates of a week. */
  readonly gloss?: string
}

export interface HeatCell {
  readonly text: string
  /** From 0 to 1: how strongly the cell is colored. */
  readonly level: number
  /** The cell in words. */
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

/** A value per row and column, as a figure on a color, so that neither alone has to be read. Only the rows in view exist. */
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
  const template = `${NAME_PX}px repeat(${columns.length}, minmax(${CELL_PX}px, 1fr))`
  const minWidth = NAME_PX + columns.length * CELL_PX
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
      <div ref={head} role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template, minWidth }}>
        <span role="columnheader" className={classes.name}>
          Product
        </span>
        {columns.map(({ id: column, title, gloss }) => (
          <span key={column} role="columnheader" className={classes.column}>
            {title}
            <span className={classes.gloss}>{gloss}</span>
          </span>
        ))}
      </div>
      <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize(), minWidth }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
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

interface HeatRowProps extends Pick<HeatMapProps, 'columns' | 'cellOf'> {
  readonly id: string
  readonly name: string
  readonly index: number
  readonly top: number
  readonly template: string
  readonly activeColumn: number
  readonly choose: (at: CellAt) => void
}

const HeatRow = memo(function HeatRow({ id, name, index, top, template, columns, cellOf, activeColumn, choose }: HeatRowProps) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
    >
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
            style={{ '--level': cell?.level ?? 0 } as React.CSSProperties}
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

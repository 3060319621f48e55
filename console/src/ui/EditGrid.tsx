import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ClipboardEvent, type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useMemo, useRef, useState } from 'react'
import classes from './EditGrid.module.css'
import { EditGridRow, type Leave } from './EditGridRow.tsx'
import { type CellAt, keyIntent, moved } from './editKeys.ts'

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

export interface EditGridProps {
  readonly label: string
  readonly columns: readonly EditColumn[]
  readonly rows: readonly EditRow[]
  /** The indexes of the rows to show, in order; all if omitted. */
  readonly shown?: readonly number[] | undefined
  readonly faultsOf: (row: number) => RowFaults | undefined
  /** The cell that keys act on. */
  readonly at: CellAt
  readonly onAt: (at: CellAt) => void
  readonly onChange: (row: number, column: string, text: string) => void
  /** Called with the text of the clipboard. */
  readonly onPaste: (at: CellAt, text: string) => void
  /** Keys that the page has a use for, which do not begin to type. */
  readonly pageKeys?: string
  /** The element to focus. */
  readonly gridRef?: Ref<HTMLElement | null>
}

const ROW_PX = 28
const NUMBER_PX = 52

/** A table of any length that is edited like a spreadsheet: arrows move, typing replaces, Enter edits, a paste fills from the active cell. */
export function EditGrid(props: EditGridProps) {
  const { label, columns, rows, shown, faultsOf, at } = props
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(props.gridRef, () => scroller.current, [])
  const [editing, setEditing] = useState<string>()
  const count = shown?.length ?? rows.length
  const place = shown === undefined ? at.row : shown.indexOf(at.row)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollPaddingEnd: ROW_PX,
    // The row that is typed into stays, however far it is scrolled away, or its text would be lost.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range)
      return editing === undefined || place < 0 || indexes.includes(place) ? indexes : [...indexes, place].sort((a, b) => a - b)
    },
  })
  useEffect(() => {
    if (place >= 0 && place < count) virtual.scrollToIndex(place)
    head.current?.children[at.column + 1]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [place, at.column, count, virtual])
  const { onKeyDown, onPaste, onCopy, handlers } = useEditing(props, place, editing, setEditing, scroller)
  const template = [`${NUMBER_PX}px`, ...columns.map(({ width }) => `minmax(${width}px, ${width}fr)`)].join(' ')
  const minWidth = columns.reduce((sum, { width }) => sum + width, NUMBER_PX)
  const fault = faultsOf(at.row)?.get(columns[at.column]?.id ?? '')
  return (
    <div className={classes.frame}>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-activedescendant={place >= 0 ? `${id}-${at.row}-${at.column}` : undefined}
        tabIndex={0}
        className={classes.grid}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onCopy={onCopy}
      >
        <div ref={head} role="row" aria-rowindex={1} className={classes.head} style={{ gridTemplateColumns: template, minWidth }}>
          <span role="columnheader" className={classes.number}>
            Row
          </span>
          {columns.map(({ id: column, title, align }) => (
            <span key={column} role="columnheader" className={`${classes.cell} ${align === 'right' ? classes.right : ''}`}>
              {title}
            </span>
          ))}
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize(), minWidth }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const number = shown?.[index] ?? index
            const row = rows[number]
            if (row === undefined) return null
            const isActive = number === at.row
            return (
              <EditGridRow
                key={number}
                id={id}
                columns={columns}
                row={row}
                index={number}
                top={start}
                template={template}
                faults={faultsOf(number)}
                activeColumn={isActive ? at.column : -1}
                editing={isActive ? editing : undefined}
                handlers={handlers}
              />
            )
          })}
        </div>
      </div>
      <p role="status" className={classes.fault}>
        {fault !== undefined && `! Row ${at.row + 1}, ${columns[at.column]?.title}: ${fault}`}
      </p>
    </div>
  )
}

export interface CellHandlers {
  readonly at: (row: number, column: number) => void
  readonly edit: (row: number, column: number) => void
  readonly leave: (text: string | undefined, leave: Leave) => void
}

function useEditing(
  props: EditGridProps,
  place: number,
  editing: string | undefined,
  setEditing: (text: string | undefined) => void,
  scroller: { readonly current: HTMLDivElement | null },
) {
  const { columns, rows, shown, at, onAt, onChange, pageKeys = '' } = props
  // A row that the filter hides is not changed by keys, since nobody would see it.
  const isHidden = place === -1
  const textAt = ({ row, column }: CellAt) => rows[row]?.[columns[column]?.id ?? ''] ?? ''
  const size = { rows: shown?.length ?? rows.length, columns: columns.length }
  const go = (step: Parameters<typeof moved>[1]) => {
    const to = moved({ row: Math.max(0, place), column: at.column }, step, size)
    onAt({ row: shown?.[to.row] ?? to.row, column: to.column })
  }
  const set = (text: string) => {
    const column = columns[at.column]
    if (column !== undefined && text !== textAt(at)) onChange(at.row, column.id, text)
  }
  const leave = (text: string | undefined, { to }: Leave) => {
    setEditing(undefined)
    if (text !== undefined) set(text)
    if (to !== undefined) go(to)
    if (to !== undefined || text === undefined) scroller.current?.focus({ preventScroll: true })
  }
  const edit = (row: number, column: number) => {
    onAt({ row, column })
    setEditing(textAt({ row, column }))
  }
  const choose = (to: CellAt) => {
    // What is being typed belongs to the cell that is left.
    scroller.current?.querySelector('input')?.blur()
    onAt(to)
  }
  const latest = useRef({ leave, edit, choose })
  latest.current = { leave, edit, choose }
  const handlers = useMemo<CellHandlers>(
    () => ({
      at: (row, column) => latest.current.choose({ row, column }),
      edit: (row, column) => latest.current.edit(row, column),
      leave: (text, how) => latest.current.leave(text, how),
    }),
    [],
  )
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (editing !== undefined || rows.length === 0 || event.nativeEvent.isComposing) return
    const intent = keyIntent(event.nativeEvent, pageKeys)
    if (intent === undefined) return
    event.preventDefault()
    if ('move' in intent) go(intent.move)
    else if ('leave' in intent) scroller.current?.blur()
    else if (isHidden) return
    else if ('clear' in intent) set('')
    else setEditing(intent.type ?? textAt(at))
  }
  const onPaste = (event: ClipboardEvent) => {
    if (editing !== undefined || isHidden) return
    event.preventDefault()
    props.onPaste(at, event.clipboardData.getData('text/plain'))
  }
  const onCopy = (event: ClipboardEvent) => {
    if (editing !== undefined || isHidden) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', textAt(at))
  }
  return { onKeyDown, onPaste, onCopy, handlers }
}

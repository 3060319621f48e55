import { type KeyboardEvent, type MouseEvent, memo, useRef, useState } from 'react'
import classes from './EditGrid.module.css'
import type { EditColumn, EditRow, RowFaults } from './EditGrid.tsx'
import type { Step } from './editKeys.ts'
import type { CellHandlers } from './useGridEditing.ts'

interface EditGridRowProps {
  readonly id: string
  readonly columns: readonly EditColumn[]
  readonly row: EditRow
  readonly index: number
  readonly top: number
  readonly template: string
  readonly faults: RowFaults | undefined
  /** The column of the active cell, or -1. */
  readonly activeColumn: number
  /** The first and the last selected column, or -1. */
  readonly left: number
  readonly right: number
  /** The initial text of the input in the active cell; undefined while nobody types. */
  readonly editing: string | undefined
  readonly handlers: CellHandlers
}

/** Renders a row again only when the row changes, so that a key press costs the same in 10,000 rows as in ten. */
export const EditGridRow = memo(function EditGridRow(props: EditGridRowProps) {
  const { columns, index, top, template, faults, activeColumn, handlers } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${classes.row} ${activeColumn >= 0 ? classes.activeRow : ''}`}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
    >
      <span
        role="rowheader"
        className={`${classes.number} ${faults ? classes.faulty : ''}`}
        onMouseDown={(event) => event.button === 0 && handlers.row(index, event.shiftKey)}
        onMouseEnter={(event) => event.buttons === 1 && handlers.over(index, undefined)}
      >
        {index + 1}
      </span>
      {columns.map((column, at) => (
        <Cell key={column.id} {...props} column={column} at={at} />
      ))}
    </div>
  )
})

function Cell({ id, column, at, row, index, faults, activeColumn, left, right, editing, handlers }: EditGridRowProps & CellPlace) {
  const fault = faults?.get(column.id)
  const faultId = `${id}-${index}-${at}-fault`
  const isActive = at === activeColumn
  const isSelected = at >= left && at <= right && left >= 0
  const onMouseDown = (event: MouseEvent) => {
    if (event.button === 0 && !isTypedInto(event)) handlers.at(index, at, event.shiftKey)
  }
  return (
    <span
      id={`${id}-${index}-${at}`}
      role="gridcell"
      aria-selected={isSelected || isActive}
      aria-invalid={fault !== undefined || undefined}
      title={fault}
      className={[
        classes.cell,
        column.align === 'right' && classes.right,
        fault !== undefined && classes.bad,
        isSelected && !isActive && classes.selected,
        isActive && classes.active,
      ]
        .filter(Boolean)
        .join(' ')}
      onMouseDown={onMouseDown}
      onMouseEnter={(event) => event.buttons === 1 && handlers.over(index, at)}
      onDoubleClick={(event) => !isTypedInto(event) && handlers.edit(index, at)}
    >
      {isActive && editing !== undefined ? (
        <CellInput
          label={`${column.title}, row ${index + 1}`}
          start={editing}
          faultId={fault === undefined ? undefined : faultId}
          onLeave={handlers.leave}
        />
      ) : (
        row[column.id]
      )}
      {fault !== undefined && (
        <span className={classes.mark}>
          !
          <span id={faultId} className={classes.hidden}>
            {' '}
            {fault}
          </span>
        </span>
      )}
    </span>
  )
}

/** Whether the mouse event is inside the text input of the cell, where the mouse selects text. */
function isTypedInto({ target }: MouseEvent): boolean {
  return target instanceof HTMLInputElement
}

interface CellPlace {
  readonly column: EditColumn
  readonly at: number
}

/** The cell to move to when typing ends. */
export interface Leave {
  readonly to?: Step
}

interface CellInputProps {
  label: string
  start: string
  /** The id of the text that says what is wrong with the cell. */
  faultId: string | undefined
  onLeave: CellHandlers['leave']
}

function CellInput({ label, start, faultId, onLeave }: CellInputProps) {
  const [text, setText] = useState(start)
  const hasLeft = useRef(false)
  const leave = (value: string | undefined, how: Leave) => {
    if (hasLeft.current) return
    hasLeft.current = true
    onLeave(value, how)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, shiftKey, ctrlKey, metaKey } = event
    if (event.nativeEvent.isComposing) return
    if (ctrlKey || metaKey) {
      // Undo and other editing keys belong to the input; only sending and the command list belong to the page.
      if (key === 'Enter') leave(text, { to: {} })
      else if (key.toLowerCase() !== 'k') event.stopPropagation()
      return
    }
    const to = LEAVES[shiftKey ? `Shift+${key}` : key]
    if (to === undefined) return
    event.preventDefault()
    leave(key === 'Escape' ? undefined : text, { to })
  }
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: it exists because its user began to type here
      autoFocus
      className={classes.input}
      aria-label={label}
      aria-invalid={faultId !== undefined || undefined}
      aria-describedby={faultId}
      spellCheck={false}
      autoComplete="off"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => leave(text, {})}
    />
  )
}

const LEAVES: Readonly<Record<string, Step>> = {
  Enter: { rows: 1 },
  'Shift+Enter': { rows: -1 },
  Tab: { columns: 1 },
  'Shift+Tab': { columns: -1 },
  ArrowDown: { rows: 1 },
  ArrowUp: { rows: -1 },
  Escape: {},
}

import { type KeyboardEvent, memo, useRef, useState } from 'react'
import classes from './EditGrid.module.css'
import type { CellHandlers, EditColumn, EditRow, RowFaults } from './EditGrid.tsx'
import type { Step } from './editKeys.ts'

interface EditGridRowProps {
  readonly id: string
  readonly columns: readonly EditColumn[]
  readonly row: EditRow
  readonly index: number
  readonly top: number
  readonly template: string
  readonly faults: RowFaults | undefined
  readonly activeColumn: number
  /** The text that typing begins with, in the active cell. */
  readonly editing: string | undefined
  readonly handlers: CellHandlers
}

/** A row renders again only when it changes, so that a key costs as much in 10,000 rows as in ten. */
export const EditGridRow = memo(function EditGridRow(props: EditGridRowProps) {
  const { id, columns, row, index, top, template, faults, activeColumn, editing, handlers } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={`${classes.row} ${activeColumn >= 0 ? classes.activeRow : ''}`}
      style={{ gridTemplateColumns: template, transform: `translateY(${top}px)` }}
    >
      <span role="rowheader" className={`${classes.number} ${faults ? classes.faulty : ''}`}>
        {index + 1}
      </span>
      {columns.map(({ id: column, title, align }, at) => {
        const fault = faults?.get(column)
        const isActive = at === activeColumn
        return (
          <span
            key={column}
            id={`${id}-${index}-${at}`}
            role="gridcell"
            aria-selected={isActive}
            aria-invalid={fault !== undefined || undefined}
            title={fault}
            className={`${classes.cell} ${align === 'right' ? classes.right : ''} ${fault === undefined ? '' : classes.bad} ${isActive ? classes.active : ''}`}
            onMouseDown={() => handlers.at(index, at)}
            onDoubleClick={() => handlers.edit(index, at)}
          >
            {isActive && editing !== undefined ? (
              <CellInput label={`${title}, row ${index + 1}`} start={editing} onLeave={handlers.leave} />
            ) : (
              row[column]
            )}
            {fault !== undefined && (
              <span className={classes.mark}>
                !<span className={classes.hidden}> {fault}</span>
              </span>
            )}
          </span>
        )
      })}
    </div>
  )
})

/** Where to go when typing ends. */
export interface Leave {
  readonly to?: Step
}

function CellInput({ label, start, onLeave }: { label: string; start: string; onLeave: CellHandlers['leave'] }) {
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
      // Undo and the like are those of the text; only sending and the commands are the page's.
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

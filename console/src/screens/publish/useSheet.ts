import { useMemo, useState } from 'react'
import type { CellEdit, EditRow } from '../../ui/EditGrid.tsx'
import type { CellAt } from '../../ui/editKeys.ts'
import { cellsOf, rangeOf, type Selection } from '../../ui/editRange.ts'
import * as drafts from './draft.ts'
import type { Kind } from './kinds.ts'
import { useHistory } from './useHistory.ts'
import { usePaste } from './usePaste.ts'

const START: CellAt = { row: 0, column: 0 }
const FIRST = { top: 0, bottom: 0, left: 0, right: 0 }

/** Holds a sheet's draft with its actions and undo. `suggested` fills in the values that all rows share, and `q` filters the rows. */
export function useSheet(kind: Kind, suggested: (head: EditRow) => EditRow, q: string) {
  const { draft, change, undo, drop } = useHistory(kind, suggested)
  const { rows } = draft
  const [kept, setSelection] = useState<Selection>({ at: START })
  const selection = within(kept, rows.length)
  const { at } = selection
  const shown = useMemo(() => shownRows(rows, q), [rows, q])
  const { note, forgetNote, paste } = usePaste(kind, draft, change)
  const range = rangeOf(selection, shown)
  const chosen =
    range === undefined || rows.length === 0 ? [] : cellsOf({ ...range, right: range.left }, shown).map(([cell]) => cell?.row ?? 0)
  const setAt = (cell: CellAt) => setSelection({ at: cell })
  return {
    ...{ draft, shown, at, setAt, selection, setSelection, note, forgetNote, change, undo },
    filled: useMemo(() => rows.filter(drafts.isFilled).length, [rows]),
    /** How many rows are selected; all of them are visible. */
    chosen: chosen.length,
    setCells: (edits: readonly CellEdit[]) => change(drafts.withCells(draft, edits)),
    /** Pastes from the first selected cell on, and selects the filled cells. */
    paste: (text: string) => {
      const filled = paste(text, rows.length === 0 ? FIRST : range, shown)
      if (filled !== undefined) setSelection(filled)
    },
    /** Appends the rows of a file below the existing rows. */
    append: (text: string) => void paste(text, undefined, undefined),
    load: (head: EditRow, loaded: readonly EditRow[]) => {
      change({ ...drafts.withRows(draft, loaded), head })
      setAt(START)
    },
    addRow: () => {
      const row = rows.length === 0 ? 0 : at.row + 1
      change(drafts.withRowAdded(draft, row))
      setAt({ row, column: 0 })
    },
    removeRows: () => {
      if (chosen.length === 0) return
      change(drafts.withoutRows(draft, chosen))
      setAt({ row: Math.min(...chosen), column: at.column })
    },
    clear: () => change(drafts.withRows(draft, [])),
    drop: (sent: readonly EditRow[]) => {
      drop(sent)
      setAt(START)
    },
  }
}

export type SheetState = ReturnType<typeof useSheet>

/** Keeps the selection within the rows that are left after an undo or a publish. */
function within({ at, to }: Selection, count: number): Selection {
  const kept = (cell: CellAt) => (cell.row < count ? cell : { ...cell, row: Math.max(0, count - 1) })
  return { at: kept(at), to: to && kept(to) }
}

/** Returns the indexes of the rows in which a cell contains the text; undefined if there is no text, so that all rows are shown. */
function shownRows(rows: readonly EditRow[], q: string): readonly number[] | undefined {
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return undefined
  return rows.flatMap((row, index) => (Object.values(row).some((text) => text.toLowerCase().includes(wanted)) ? [index] : []))
}

import { useCallback, useMemo, useRef, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useLargeDraft } from '../../ui/drafts.ts'
import type { EditRow } from '../../ui/EditGrid.tsx'
import type { CellAt } from '../../ui/editKeys.ts'
import { countText } from '../../ui/Money.tsx'
import { parseTable } from '../../ui/tables.ts'
import * as drafts from './draft.ts'
import type { Kind } from './kinds.ts'

type Draft = drafts.PublishDraft

const START: CellAt = { row: 0, column: 0 }
const STEPS_BACK = 50

/** The draft of a sheet and what can be done to it; each change can be undone. `suggested` fills what is said once for all rows, `q` filters the rows. */
export function useSheet(kind: Kind, suggested: (head: EditRow) => EditRow, q: string) {
  const { entity, side } = useSession()
  const [draft, setDraft] = useLargeDraft<Draft>(`${side}:${entity}`, `publish:${kind.id}`, drafts.EMPTY_DRAFT)
  const history = useRef<Draft[]>([])
  const [at, setAt] = useState(START)
  const [note, setNote] = useState<string>()
  const change = useCallback(
    (next: Draft) => {
      history.current = [...history.current.slice(-STEPS_BACK), draft]
      setDraft({ ...next, head: suggested(next.head) })
    },
    [draft, setDraft, suggested],
  )
  const paste = (cell: CellAt, text: string) => {
    const cells = parseTable(text, (first) => drafts.isHeader(kind, first))
    if (cell.row + cells.length > drafts.MOST_ROWS + 1) return setNote(tooMany(cells.length))
    const { draft: next, count, unknown } = drafts.pasted(draft, kind, cell, cells)
    change(next)
    setNote(unknown.length === 0 ? undefined : `Pasted ${countText(count, 'row')} without ${unknown.join(', ')}: no column has that name.`)
  }
  const { rows } = draft
  const shown = useMemo(() => shownRows(rows, q), [rows, q])
  const canRemove = rows.length > 0 && (shown === undefined || shown.includes(at.row))
  return {
    draft,
    shown,
    canRemove,
    at,
    setAt,
    note,
    forgetNote: () => setNote(undefined),
    filled: useMemo(() => rows.filter(drafts.isFilled).length, [rows]),
    change,
    paste,
    /** Adds what a file has below the rows that are there. */
    append: (text: string) => paste({ row: rows.length, column: 0 }, text),
    load: (head: EditRow, loaded: readonly EditRow[]) => {
      change({ ...drafts.withRows(draft, loaded), head })
      setAt(START)
    },
    addRow: () => {
      const row = rows.length === 0 ? 0 : at.row + 1
      change(drafts.withRowAdded(draft, row))
      setAt({ row, column: 0 })
    },
    removeRow: () => {
      if (!canRemove) return
      change(drafts.withRowRemoved(draft, at.row))
      setAt({ ...at, row: Math.max(0, Math.min(at.row, rows.length - 2)) })
    },
    clear: () => change(drafts.withRows(draft, [])),
    undo: () => {
      const before = history.current.pop()
      if (before !== undefined) setDraft({ ...before, edit: draft.edit + 1 })
    },
    /** Takes away what has been published; undo cannot bring it back. */
    drop: (sent: readonly EditRow[]) => {
      const gone = new Set(sent)
      history.current = []
      setDraft((before) => {
        const { commit: _, ...head } = before.head
        const left = before.rows.filter((row) => drafts.isFilled(row) && !gone.has(row))
        return { ...drafts.withRows(before, left), head: left.length > 0 ? suggested(head) : head }
      })
      setAt(START)
    },
  }
}

export type SheetState = ReturnType<typeof useSheet>

function tooMany(count: number): string {
  const [has, most] = [count, drafts.MOST_ROWS].map((rows) => rows.toLocaleString('en-US'))
  return `These are ${has} rows; the grid holds at most ${most}. Publish them as a file drop, under Files.`
}

/** The indexes of the rows with a cell that has the text; undefined without one, when all are shown. */
function shownRows(rows: readonly EditRow[], q: string): readonly number[] | undefined {
  const wanted = q.trim().toLowerCase()
  if (wanted === '') return undefined
  return rows.flatMap((row, index) => (Object.values(row).some((text) => text.toLowerCase().includes(wanted)) ? [index] : []))
}

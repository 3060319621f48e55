import { useState } from 'react'
import { type CellRange, rowAt, type Selection, type Shown, sizeOf, tiled } from '../../ui/editRange.ts'
import { countText } from '../../ui/Money.tsx'
import { parseTable } from '../../ui/tables.ts'
import { isHeader, MAX_ROWS, type PasteTarget, type PublishDraft, pasted } from './draft.ts'
import type { Kind } from './kinds.ts'

/** Fills a draft with cells that a spreadsheet copied or saved, and names the columns that do not fit. */
export function usePaste(kind: Kind, draft: PublishDraft, change: (next: PublishDraft) => void) {
  const [note, setNote] = useState<string>()
  /** Fills a range, or the cells from its first one on; without a range, new rows at the end. Returns the filled cells. */
  const paste = (text: string, range: CellRange | undefined, shown: Shown): Selection | undefined => {
    const table = parseTable(text, (first) => isHeader(kind, first))
    const hasHeader = isHeader(kind, table[0] ?? [])
    const cells = range === undefined || hasHeader ? table : tiled(table, sizeOf(range))
    const target = targetOf(range, shown, draft.rows.length)
    if (target.rowAt(cells.length - 1) > MAX_ROWS) {
      setNote(tooMany(cells.length))
      return undefined
    }
    const { draft: next, count, unknown } = pasted(draft, kind, target, cells)
    change(next)
    setNote(unknown.length === 0 ? undefined : `Pasted ${countText(count, 'row')} without ${unknown.join(', ')}: no column has that name.`)
    return hasHeader || count === 0 ? undefined : filled(target, cells, kind.columns.length - 1)
  }
  return { note, forgetNote: () => setNote(undefined), paste }
}

function targetOf(range: CellRange | undefined, shown: Shown, count: number): PasteTarget {
  if (range === undefined) return { rowAt: (offset) => count + offset, column: 0 }
  return { rowAt: (offset) => rowAt(range.top + offset, shown, count), column: range.left }
}

function filled({ rowAt: row, column }: PasteTarget, cells: readonly (readonly string[])[], last: number): Selection {
  const width = Math.max(1, ...cells.map((texts) => texts.length))
  return { at: { row: row(0), column }, to: { row: row(cells.length - 1), column: Math.min(last, column + width - 1) } }
}

function tooMany(count: number): string {
  const [has, max] = [count, MAX_ROWS].map((rows) => rows.toLocaleString('en-US'))
  return `These are ${has} rows; the grid holds at most ${max}. Publish them as a file drop, under Files.`
}

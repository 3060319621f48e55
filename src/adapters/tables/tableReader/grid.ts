import type { Table, TableCell } from '../../../domain/document/table.ts'

/** A block of merged cells, which shows the value of its first cell; zero-based, ends included. */
export interface Merge {
  readonly startRow: number
  readonly startCol: number
  readonly endRow: number
  readonly endCol: number
}

/** Converts rows of text to a table whose cells are named like `B7`. A vertically merged cell appears on each of its rows, at its first column. */
export function gridTable(rows: readonly (readonly string[])[], sheet: string, merges: readonly Merge[]): Table {
  const prefix = sheet === '' ? '' : `${sheet}!`
  const table = rows.map((row, rowIndex) =>
    row.flatMap((text, column): TableCell[] => {
      if (text.trim() === '') return []
      return [{ text: text.trim(), at: `${prefix}${columnName(column)}${rowIndex + 1}`, left: column, right: column + 1 }]
    }),
  )
  for (const { startRow, startCol, endRow, endCol } of merges) {
    const first = table[startRow]?.find(({ left }) => left === startCol)
    if (first === undefined) continue
    const whole = { ...first, right: endCol + 1, ...(endRow > startRow ? { rows: endRow - startRow + 1 } : {}) }
    for (let at = startRow; at <= Math.min(endRow, table.length - 1); at += 1) {
      const others = (table[at] ?? []).filter(({ left }) => left < startCol || left > endCol)
      table[at] = [...others, whole].sort((a, b) => a.left - b.left)
    }
  }
  return { layout: 'grid', rows: table }
}

function columnName(index: number): string {
  const rest = Math.floor(index / 26)
  return `${rest === 0 ? '' : columnName(rest - 1)}${String.fromCharCode(65 + (index % 26))}`
}

import type { Cell, Row, Sheet, Text, Word } from '../cells.ts'

/**
 * Groups the texts of a sheet into rows of cells. On a page, texts whose baselines differ by at most half of a character's height are of one
 * row; those without a space between them are one cell, since a printer may cut a word anywhere. Rules of dashes are no texts.
 */
export function rowsOf(sheet: Sheet, index: number): Row[] {
  const rows: Text[][] = []
  const written = sheet.texts.filter(({ text }) => /[^\s_\-–—=]/.test(text) || /^\s*[-–—]\s*$/.test(text))
  for (const text of [...written].sort((a, b) => a.y - b.y || a.left - b.left)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row !== undefined && first !== undefined && text.y - first.y <= Math.min(first.size, text.size) * SAME_ROW) row.push(text)
    else rows.push([text])
  }
  return rows.map((texts) => {
    const cells = texts.sort((a, b) => a.left - b.left).flatMap((text) => (sheet.layout === 'grid' ? [whole(text)] : pieces(text)))
    return { cells: sheet.layout === 'grid' ? cells : joined(cells), y: texts[0]?.y ?? 0, sheet: index }
  })
}

/** The share of a character's height by which baselines of one row may differ. */
const SAME_ROW = 0.49

function whole(text: Text): Cell {
  return { ...text, text: text.text.trim(), words: [{ text: text.text.trim(), left: text.left, right: text.right }] }
}

/**
 * Cuts a text at runs of spaces, which stand for the gap between two columns in a print of a fixed pitch. The place of a word within its text
 * is estimated from the number of characters, which is exact for such a print.
 */
function pieces(text: Text): Cell[] {
  const each = (text.right - text.left) / Math.max(text.text.length, 1)
  return [...text.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: piece, index }) => {
    const left = text.left + index * each
    const words = [...piece.matchAll(/\S+/g)].map(
      ({ 0: word, index: at }): Word => ({ text: word, left: left + at * each, right: left + (at + word.length) * each }),
    )
    return { ...text, text: piece, left, right: left + piece.length * each, words }
  })
}

/** Joins pieces that touch: a word that its printer cut. What stands a space apart is joined later, where the columns are known. */
function joined(pieces: readonly Cell[]): Cell[] {
  const cells: Cell[] = []
  for (const piece of pieces) {
    const last = cells.at(-1)
    const touches = last !== undefined && Math.abs(piece.left - last.right) <= Math.min(piece.size, last.size) * TOUCHING
    if (last === undefined || !touches || !isCutWord(last.text, piece.text)) cells.push(piece)
    else cells[cells.length - 1] = together(last, piece, '')
  }
  return cells
}

/** The gap, as a share of a character's height, below which two pieces touch. */
const TOUCHING = 0.08

/** Words that begin with a capital, or a number after a word, are two cells without a gap between them, such as headings that fill their columns. */
function isCutWord(before: string, after: string): boolean {
  return /[a-z0-9/:.,$-]$/.test(before) ? /^[a-z0-9/:.,-]/.test(after) : /^[A-Z]{1,2}$/.test(before) && /^[a-z]/.test(after)
}

/** Returns two pieces as one cell. */
export function together(a: Cell, b: Cell, between = ' '): Cell {
  return { ...a, text: `${a.text}${between}${b.text}`, right: Math.max(a.right, b.right), words: [...a.words, ...b.words] }
}

/** Cuts a cell before its word at `index`. */
export function cutAt(cell: Cell, index: number): [Cell, Cell] {
  return [partOf(cell, cell.words.slice(0, index)), partOf(cell, cell.words.slice(index))]
}

/** Returns the part of a cell that some of its words make. */
export function partOf(cell: Cell, words: readonly Word[]): Cell {
  const text = words.map((word) => word.text).join(' ')
  return { ...cell, text, words, left: words[0]?.left ?? cell.left, right: words.at(-1)?.right ?? cell.right }
}

import type { Cell, Row, Sheet, Text, Word } from '../cells.ts'
import { monthOf } from '../values/dates.ts'

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
  const isByCharacter = written.filter(({ text }) => text.trim().length === 1).length > written.length * BY_CHARACTER
  return rows.map((texts) => {
    const cells = texts.sort((a, b) => a.left - b.left).flatMap((text) => (sheet.layout === 'grid' ? [whole(text)] : pieces(text)))
    return { cells: sheet.layout === 'grid' ? cells : joined(cells, isByCharacter), y: texts[0]?.y ?? 0, sheet: index }
  })
}

/** The share of texts of one character from which on a page is set one by one. */
const BY_CHARACTER = 0.8

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
  return withoutRunIn(text).flatMap(piecesOf)
}

/** Cuts a text between a date and the clock of the next column that its printer ran together: `1/12/20318:00 PM`. */
function withoutRunIn(text: Text): Text[] {
  const at = /\/(?:19|20)\d{2}(?=\d{1,2}:\d{2})/.exec(text.text)
  if (at === null) return [text]
  const end = at.index + at[0].length
  const middle = text.left + ((text.right - text.left) * end) / text.text.length
  return [
    { ...text, text: text.text.slice(0, end), right: middle },
    { ...text, text: text.text.slice(end), left: middle },
  ]
}

function piecesOf(text: Text): Cell[] {
  const each = (text.right - text.left) / Math.max(text.text.length, 1)
  return [...text.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: piece, index }) => {
    const left = text.left + index * each
    const words = [...piece.matchAll(/\S+/g)].map(
      ({ 0: word, index: at }): Word => ({ text: word, left: left + at * each, right: left + (at + word.length) * each }),
    )
    return { ...text, text: piece, left, right: left + piece.length * each, words }
  })
}

/**
 * Joins pieces that touch, as a word that its printer cut, and words a space apart. Cells of neighbouring columns that are joined so are cut again
 * where the columns are known.
 */
function joined(pieces: readonly Cell[], isByCharacter: boolean): Cell[] {
  const cells: Cell[] = []
  let before = ''
  for (const piece of pieces) {
    const last = cells.at(-1)
    // A printer that sets characters one by one leaves parts of a word that are short.
    const isShort = Math.min(before.length, piece.text.length) <= 2
    before = piece.text
    const gap = last === undefined ? Number.POSITIVE_INFINITY : (piece.left - last.right) / Math.min(piece.size, last.size)
    if (
      last !== undefined &&
      Math.abs(gap) <= TOUCHING &&
      (isByCharacter || isCutWord(last.text, piece.text, { gap: Math.abs(gap), isShort }))
    )
      cells[cells.length - 1] = glued(last, piece)
    else if (last !== undefined && gap > -TOUCHING && gap <= WORD_SPACE && isNextWord(last.text, piece.text))
      cells[cells.length - 1] = together(last, piece)
    else if (last !== undefined && gap <= WORD_SPACE && isInSentence(cells, piece)) cells.splice(-2, 2, sentenceOf(cells, piece))
    else cells.push(piece)
  }
  return cells
}

/** The gap, as a share of a character's height, below which two pieces touch. */
const TOUCHING = 0.08
/** The gap that a printer leaves within a word. */
const NO_GAP = 0.02
/** The most of a space between two words. */
const WORD_SPACE = 0.34

/** Words that begin with a capital, or a number after a word, are two cells without a gap between them, such as headings that fill their columns. */
function isCutWord(before: string, after: string, { gap, isShort }: { gap: number; isShort: boolean }): boolean {
  // A clock behind a date is of the next column.
  if (/\/\d{4}$/.test(before) && /^\d{1,2}:\d{2}/.test(after)) return false
  if (gap <= NO_GAP && isShort && /^[A-Za-z(&'-]/.test(after) && !/\d$/.test(before)) return true
  if (gap <= NO_GAP && /[A-Z]$/.test(before) && /^[A-Z]/.test(after)) return true
  return /[a-z0-9/:.,$-]$/.test(before) ? /^[a-z0-9/:.,-]/.test(after) : /(^|\s)[A-Z]{1,2}$/.test(before) && /^[a-z]/.test(after)
}

/** Words follow words, and the day of a month its name; numbers stand in columns of their own. */
function isNextWord(before: string, after: string): boolean {
  if (/[A-Za-z]{2}/.test(before) && /[A-Za-z]{2}/.test(after)) return true
  return monthOf(before) !== undefined && /^\d{1,2}$/.test(after)
}

/** A number between two words, a space from each, is of their sentence: `Busters 4 Less`. */
function isInSentence(cells: readonly Cell[], piece: Cell): boolean {
  const [before, number] = cells.slice(-2)
  if (before === undefined || number === undefined || !/^\d{1,2}$/.test(number.text)) return false
  const gap = (number.left - before.right) / number.size
  return gap > 0 && gap <= WORD_SPACE && piece.left > number.right && /[A-Za-z]{2}$/.test(before.text) && /^[A-Za-z]{2}/.test(piece.text)
}

function sentenceOf(cells: readonly Cell[], piece: Cell): Cell {
  return together(together(cells.at(-2) as Cell, cells.at(-1) as Cell), piece)
}

/** Returns two parts of a word as one cell, whose last and first words are one. */
function glued(a: Cell, b: Cell): Cell {
  const [last, first] = [a.words.at(-1), b.words[0]]
  if (last === undefined || first === undefined) return together(a, b, '')
  const word: Word = { text: `${last.text}${first.text}`, left: last.left, right: first.right }
  return { ...together(a, b, ''), words: [...a.words.slice(0, -1), word, ...b.words.slice(1)] }
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

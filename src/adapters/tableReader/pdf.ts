import { extractTextItems, getDocumentProxy } from 'unpdf'
import type { Table, TableCell } from '../../domain/document/table.ts'
import { Unreadable } from '../unreadable.ts'
import { CELLS, PAGES } from './limits.ts'

/** Returns one table per page: its text by position, top to bottom and left to right. */
export async function readPdf(bytes: Buffer): Promise<Table[]> {
  const document = await getDocumentProxy(new Uint8Array(bytes)).catch((error: unknown) => {
    throw (error as { name?: string }).name === 'PasswordException' ? new Unreadable('it is protected by a password') : error
  })
  if (document.numPages > PAGES) throw new Unreadable(`it has more than ${PAGES} pages`)
  const { items } = await extractTextItems(document)
  if (items.reduce((sum, page) => sum + page.length, 0) > CELLS) throw new Unreadable(`it holds more than ${CELLS} pieces of text`)
  return items.map((page, index) => ({
    layout: 'page',
    rows: rowsOf(page.filter(({ str }) => str.trim() !== '').flatMap(pieces), index + 1),
  }))
}

interface Piece {
  text: string
  left: number
  right: number
  y: number
  size: number
}

/** Splits a text that is aligned in columns by runs of spaces, assuming that all characters have the same width. */
function pieces({
  str,
  x,
  y,
  width,
  height,
  fontSize,
}: {
  str: string
  x: number
  y: number
  width: number
  height: number
  fontSize: number
}): Piece[] {
  const each = width / str.length
  const size = Math.max(height, Math.abs(fontSize), 1)
  return [...str.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => ({
    text,
    left: x + index * each,
    right: x + (index + text.length) * each,
    y,
    size,
  }))
}

/** Groups pieces whose baselines differ by at most half a character's height into rows. */
function rowsOf(all: Piece[], page: number): TableCell[][] {
  const rows: Piece[][] = []
  for (const piece of [...all].sort((a, b) => b.y - a.y)) {
    const row = rows.at(-1)
    const first = row?.[0]
    if (row !== undefined && first !== undefined && first.y - piece.y <= Math.min(first.size, piece.size) / 2) row.push(piece)
    else rows.push([piece])
  }
  return rows.map((row) =>
    joined(row.sort((a, b) => a.left - b.left)).map(({ text, left, right }) => ({ text, at: `page ${page}`, left, right })),
  )
}

/** Joins pieces by the gap between them: pieces less than a space apart form one word, about a space apart one cell. */
function joined(row: readonly Piece[]): Piece[] {
  const cells: Piece[] = []
  for (const piece of row) {
    const last = cells.at(-1)
    const gap = last === undefined ? Number.POSITIVE_INFINITY : piece.left - last.right
    if (last === undefined || gap > piece.size * 0.4) cells.push({ ...piece })
    else {
      last.text += `${gap > piece.size * 0.12 ? ' ' : ''}${piece.text}`
      last.right = Math.max(last.right, piece.right)
    }
  }
  return cells
}

import { extractTextItems, getDocumentProxy } from 'unpdf'
import type { Table, TableCell } from '../../domain/document/table.ts'
import { CELLS, PAGES, Unreadable } from './limits.ts'

/** A table for every page: its texts by where they stand, from the top down and from left to right. */
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

/** A text that stands in columns by its spaces alone is taken apart, its letters being as wide as each other. */
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

/** What stands within half a letter's height of each other is one row. */
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

/** Pieces of one text: what stands nearer than a space is wide was one word, what stands a space apart one cell. */
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

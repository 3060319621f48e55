import type { Sheet, Text } from '../../../domain/document/cells.ts'
import type { Table } from '../../../domain/document/table.ts'
import { Unreadable } from '../unreadable.ts'
import { CELLS, PAGES } from './limits.ts'

/** Returns one sheet per page: its texts by position, from the top down. */
export async function pdfSheets(bytes: Buffer): Promise<Sheet[]> {
  const { extractTextItems, getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(bytes)).catch((error: unknown) => {
    throw (error as { name?: string }).name === 'PasswordException' ? new Unreadable('it is protected by a password') : error
  })
  if (document.numPages > PAGES) throw new Unreadable(`it has more than ${PAGES} pages`)
  const { items } = await extractTextItems(document)
  if (items.reduce((sum, page) => sum + page.length, 0) > CELLS) throw new Unreadable(`it holds more than ${CELLS} pieces of text`)
  return items.map((page, index) => ({
    layout: 'page',
    texts: page
      .filter(({ str }) => str.trim() !== '')
      .map(
        ({ str, x, y, width, height, fontSize }): Text => ({
          text: str,
          at: `page ${index + 1}`,
          left: x,
          right: x + width,
          y: -y,
          size: Math.max(height, Math.abs(fontSize), 1),
        }),
      ),
  }))
}

/** Returns a grid as a sheet, whose positions are those of its cells. */
export function gridSheet(table: Table, name: string | undefined): Sheet {
  const texts = table.rows.flatMap((row, y) => row.map((cell): Text => ({ ...cell, y, size: 1 })))
  return { layout: 'grid', texts, ...(name === undefined ? {} : { name }) }
}

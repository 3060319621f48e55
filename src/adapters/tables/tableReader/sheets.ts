import type { Sheet, Text } from '../../../domain/document/cells.ts'
import type { Table } from '../../../domain/document/table.ts'
import { Unreadable } from '../unreadable.ts'
import { CELLS, PAGES } from './limits.ts'

/** Returns one sheet per page: its texts by position, from the top down. */
export async function pdfSheets(bytes: Buffer): Promise<Sheet[]> {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(bytes)).catch((error: unknown) => {
    throw (error as { name?: string }).name === 'PasswordException' ? new Unreadable('it is protected by a password') : error
  })
  if (document.numPages > PAGES) throw new Unreadable(`it has more than ${PAGES} pages`)
  const pages = await Promise.all(Array.from({ length: document.numPages }, (_, index) => printsOf(document, index + 1)))
  if (pages.reduce((sum, page) => sum + page.length, 0) > CELLS) throw new Unreadable(`it holds more than ${CELLS} pieces of text`)
  return pages.map((page, index) => ({
    layout: 'page',
    texts: upright(
      page.filter(({ text }) => text.trim() !== ''),
      `page ${index + 1}`,
    ),
  }))
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>

/** A text as it is printed: where it begins, upwards from the foot of the page, and the direction that it runs in. */
interface Print {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly along: readonly [x: number, y: number]
  readonly width: number
  readonly size: number
}

async function printsOf(document: PdfDocument, number: number): Promise<Print[]> {
  const { items } = await (await document.getPage(number)).getTextContent()
  return items.flatMap((item): Print[] => {
    if (!('str' in item)) return []
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = item.transform as number[]
    const length = Math.hypot(a, b) || 1
    return [{ text: item.str, x, y, along: [a / length, b / length], width: item.width, size: Math.max(item.height, Math.hypot(c, d), 1) }]
  })
}

/** Places texts as a person reads them who turns the page so that most of them stand upright. */
function upright(prints: readonly Print[], at: string): Text[] {
  const turns = new Map<string, number>()
  for (const { along, text } of prints) {
    const turn = along.map(Math.round).join()
    turns.set(turn, (turns.get(turn) ?? 0) + text.length)
  }
  const [most = '1,0'] = [...turns].sort(([, one], [, other]) => other - one)[0] ?? []
  const [right = 1, up = 0] = most.split(',').map(Number)
  return prints.map(({ text, x, y, along, width, size }) => {
    const left = x * right + y * up
    const runs = along[0] * right + along[1] * up
    return { text, at, left, right: left + (runs > 0.5 ? width : size), y: x * up - y * right, size }
  })
}

/** Returns a grid as a sheet, whose positions are those of its cells. */
export function gridSheet(table: Table, name: string | undefined): Sheet {
  const texts = table.rows.flatMap((row, y) => row.map((cell): Text => ({ ...cell, y, size: 1 })))
  return { layout: 'grid', texts, ...(name === undefined ? {} : { name }) }
}

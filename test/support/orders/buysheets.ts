import { buffer } from 'node:stream/consumers'
import { type CellValue, writeXlsx } from 'hucre'
import PDFDocument from 'pdfkit'

/** Buysheets as agencies send them, for the market of `market.ts`: every layout states the same two lines of prime time. */

export interface Sheet {
  rows: CellValue[][]
  merges?: { startRow: number; startCol: number; endRow: number; endCol: number }[]
}

const date = (day: string) => new Date(`${day}T00:00:00Z`)

/** Layouts that all state ten spots in 2030-W23 and four in 2030-W24, at 1250.50. */
export const LAYOUTS: Record<string, Sheet> = {
  'a plain list': {
    rows: [
      ['Product ID', 'Week', 'Spot Length', 'Units', 'Unit Cost', 'Amount'],
      ['prime', '2030-W23', 30, 10, 1250.5, 12505],
      ['prime', '2030-W24', 30, 4, 1250.5, 5002],
      ['Total', null, null, 14, null, 17507],
    ],
  },
  'columns in another order, other words, below a heading': {
    rows: [
      ['Northlight Media', null, null, null, null, null],
      ['Buy type: Preemptible', null, null, 'Length', ':30', null],
      [null, null, null, null, null, null],
      ['Gross Rate ($)', '# Spots', 'Air Week', 'Program Name', 'Class', 'Station'],
      ['$1,250.50', '10x', 'Wk of 6/3/2030', 'PRIME', 'Scatter', 'CBL'],
      ['$1,250.50', '4', 'w/c Jun 10', 'Prime', 'scatter', 'CBL'],
    ],
  },
  'a weekly grid under merged headers': {
    rows: [
      ['Program', 'Len', 'Unit Rate', 'Weeks beginning', null, null, 'Total', 'Gross'],
      [null, null, null, '6/3', '6/10', '6/17', null, null],
      ['Prime', ':30', 1250.5, 10, 4, 0, 14, 17507],
      ['Grand Total', null, null, 10, 4, 0, 14, '$17,507.00'],
    ],
    merges: [
      { startRow: 0, startCol: 0, endRow: 1, endCol: 0 },
      { startRow: 0, startCol: 1, endRow: 1, endCol: 1 },
      { startRow: 0, startCol: 2, endRow: 1, endCol: 2 },
      { startRow: 0, startCol: 3, endRow: 0, endCol: 5 },
      { startRow: 0, startCol: 6, endRow: 1, endCol: 6 },
      { startRow: 0, startCol: 7, endRow: 1, endCol: 7 },
    ],
  },
  'a grid of days under their months': {
    rows: [
      ['Program', 'Rate', 'Len', 'May 2030', 'June 2030', null, 'Spots'],
      [null, null, null, 27, 3, 10, null],
      ['Prime', 1250.5, 30, null, 10, 4, 14],
    ],
    merges: [{ startRow: 0, startCol: 4, endRow: 0, endCol: 5 }],
  },
  'start and end dates, and a product that is written once': {
    rows: [
      ['Selling Title', 'Start Date', 'End Date', 'Sec', 'Spots', 'Rate', 'Market Class', 'Advertiser Class'],
      ['Prime', date('2030-06-03'), date('2030-06-09'), 30, 10, 1250.5, 'scatter', 'general'],
      [null, date('2030-06-10'), date('2030-06-16'), 30, 4, 1250.5, 'scatter', 'general'],
    ],
    merges: [{ startRow: 1, startCol: 0, endRow: 2, endCol: 0 }],
  },
}

export function csvOf({ rows }: Sheet): Buffer {
  const field = (value: CellValue) => (value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? ''))
  const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return Buffer.from(`${rows.map((row) => row.map((value) => quoted(field(value))).join(',')).join('\n')}\n`)
}

export async function xlsxOf({ rows, merges = [] }: Sheet): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'Buy', rows, merges }] }))
}

/** A column of a page: its position, its width, and the side to which its texts are aligned. */
export interface PdfColumn {
  x: number
  width: number
  align?: 'left' | 'right' | 'center'
}

/** Returns pages of rows as a PDF, each cell in its column; null omits a cell. */
export async function pdfOf(columns: readonly PdfColumn[], pages: readonly (readonly (string | null)[])[][]): Promise<Buffer> {
  const document = new PDFDocument({ size: 'LETTER', layout: 'landscape', autoFirstPage: false })
  for (const rows of pages) {
    document.addPage().fontSize(9)
    rows.forEach((row, index) => {
      row.forEach((text, at) => {
        const { x, width, align = 'left' } = columns[at] as PdfColumn
        if (text !== null) document.text(text, x, 60 + index * 16, { width, align, lineBreak: false })
      })
    })
  }
  document.end()
  return buffer(document)
}

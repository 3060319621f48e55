import { describe, expect, it } from '@jest/globals'
import { writeXlsx } from 'hucre'
import { readSheets } from '../../../src/adapters/tables/tableReader.ts'

async function textsOf(bytes: Uint8Array, format: string): Promise<string[]> {
  const [sheet] = await readSheets(Buffer.from(bytes), format)
  return [...(sheet?.texts ?? [])].sort((a, b) => a.y - b.y || a.left - b.left).map(({ text }) => text)
}

describe('a sheet of a document', () => {
  it('has no texts of rows and columns that are hidden, as a person sees it', async () => {
    const rows = [
      ['News', 'secret', 1],
      ['Talk', 'secret', 2],
      ['Late', 'secret', 3],
    ]
    const bytes = await writeXlsx({
      sheets: [{ name: 'Buy', rows, rowDefs: new Map([[1, { hidden: true }]]), columns: [{}, { hidden: true }, {}] }],
    })
    expect(await textsOf(bytes, 'xlsx')).toEqual(['News', '1', 'Late', '3'])
  })

  it('has the clock of a time, to the second and through the broadcast day, and the day of a date', async () => {
    const cell = (value: number) => ({ value, style: { numFmt: 'h:mm' } })
    const cells = new Map([0.25, 0.5 + 1 / 86_400, 25 / 24, 47_637].map((value, at) => [`0,${at}`, cell(value)] as const))
    const bytes = await writeXlsx({ sheets: [{ name: 'Buy', rows: [[...cells.values()].map(({ value }) => value)], cells }] })
    expect(await textsOf(bytes, 'xlsx')).toEqual(['06:00', '12:00:01', '25:00', '2030-06-03'])
  })
})

/** A page of texts, each at a place and in a direction: `1 0 0 1` runs to the right, `0 1 -1 0` upwards. */
function pdfOf(texts: readonly (readonly [text: string, matrix: string])[]): Buffer {
  const stream = texts.map(([text, matrix]) => `BT /F1 10 Tf ${matrix} Tm (${text}) Tj ET`).join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 6 >>\n`)
}

describe('a page of a document', () => {
  it.each([
    ['to the right', '1 0 0 1', [50, 700], [150, 700], [50, 680]],
    ['upwards', '0 1 -1 0', [100, 50], [100, 150], [120, 50]],
    ['downwards', '0 -1 1 0', [500, 750], [500, 650], [480, 750]],
    ['upside down', '-1 0 0 -1', [550, 100], [450, 100], [550, 120]],
  ] as const)('whose texts run %s is read as they run', async (_, turn, first, beside, below) => {
    const bytes = pdfOf([
      ['Days', `${turn} ${first.join(' ')}`],
      ['Time', `${turn} ${beside.join(' ')}`],
      ['M-F', `${turn} ${below.join(' ')}`],
    ])
    expect(await textsOf(bytes, 'pdf')).toEqual(['Days', 'Time', 'M-F'])
  })
})

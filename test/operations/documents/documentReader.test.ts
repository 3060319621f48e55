import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { writeXlsx } from 'hucre'
import { readSheets } from '../../../src/adapters/tables/tableReader.ts'
import type { UploadFormat } from '../../../src/contract/vocabulary.ts'
import { readDocumentFile } from '../../../src/operations/documents/documentReader.ts'
import { zipOf } from '../../support/files/zip.ts'
import { csvOf, LAYOUTS, pdfOf, type Sheet, xlsxOf } from '../../support/orders/buysheets.ts'
import { documentOf } from '../../support/orders/readTables.ts'

const read = async (bytes: Uint8Array, format: UploadFormat, signal?: AbortSignal) =>
  (await readDocumentFile(Readable.from([bytes]), format, '2030-06-01', signal)).reading

/** What the reader makes of a good file, in the few words that every layout is to say; in this process, which is sooner done. */
async function linesOf(bytes: Uint8Array, format: UploadFormat) {
  const document = documentOf(await readSheets(Buffer.from(bytes), format))
  return document?.lines.map(({ product, period, units, unit_cost, spot_length }) => [
    product?.read.toLowerCase(),
    period?.value?.start,
    Number.parseInt(units?.read ?? '', 10),
    Number(unit_cost?.read.replace(/[$,]/g, '')),
    Number.parseInt(spot_length?.read.replace(':', '') ?? '', 10),
    units?.at,
  ])
}

const ORDERED = [
  ['prime', '2030-W23', 10, 1250.5, 30],
  ['prime', '2030-W24', 4, 1250.5, 30],
]
const UNITS_AT: Record<string, [string, string]> = {
  'a plain list': ['D2', 'D3'],
  'columns in another order, other words, below a heading': ['B5', 'B6'],
  'a weekly grid under merged headers': ['D3', 'E3'],
  'a grid of days under their months': ['E3', 'F3'],
  'start and end dates, and a product that is written once': ['E2', 'E3'],
}
const at = ([first, second]: readonly string[]) => [
  [...(ORDERED[0] as unknown[]), first],
  [...(ORDERED[1] as unknown[]), second],
]

describe('a buysheet', () => {
  it.each(Object.entries(LAYOUTS))('as csv: %s', async (name, sheet) => {
    expect(await linesOf(csvOf(sheet), 'csv')).toEqual(at(UNITS_AT[name] as string[]))
  })

  it.each(Object.entries(LAYOUTS))('as xlsx: %s', async (name, sheet) => {
    expect(await linesOf(await xlsxOf(sheet), 'xlsx')).toEqual(at(UNITS_AT[name] as string[]))
  })

  const COLUMNS = [
    { x: 40, width: 130 },
    { x: 180, width: 90 },
    { x: 280, width: 50, align: 'center' as const },
    { x: 340, width: 50, align: 'right' as const },
    { x: 400, width: 80, align: 'right' as const },
    { x: 490, width: 90, align: 'right' as const },
  ]
  const HEAD = ['Product', 'Week of', 'Len', 'Spots', 'Rate', 'Amount']
  const PRIME = [
    ['Prime', '6/3/2030', ':30', '10', '$1,250.50', '$12,505.00'],
    ['Prime', '6/10/2030', ':30', '4', '$1,250.50', '$5,002.00'],
  ] as const
  const TOTAL = ['Total', null, null, '14', null, '$17,507.00']

  it('as pdf: over two pages, the header repeated', async () => {
    const bytes = await pdfOf(COLUMNS, [
      [['Northlight Media buysheet', null], [], HEAD, [...PRIME[0]]],
      [HEAD, [...PRIME[1]], TOTAL],
    ])
    expect(await linesOf(bytes, 'pdf')).toEqual(at(['page 1', 'page 2']))
  })

  it('as pdf: over two pages, the header on the first alone', async () => {
    expect(
      await linesOf(
        await pdfOf(COLUMNS, [
          [HEAD, [...PRIME[0]]],
          [[...PRIME[1]], TOTAL],
        ]),
        'pdf',
      ),
    ).toEqual(at(['page 1', 'page 2']))
  })

  it('as pdf: columns in another order, a header of two rows', async () => {
    const order = [3, 4, 0, 1, 2]
    const columns = order.map((_, index) => ({ x: 40 + index * 110, width: 90 }))
    const pick = (row: readonly (string | null)[]) => order.map((index) => row[index] ?? null)
    const bytes = await pdfOf(columns, [
      [['Number', 'Unit', 'Selling', null, 'Spot'], ['of spots', 'cost', 'title', 'Week of', 'length'], pick(PRIME[0]), pick(PRIME[1])],
    ])
    expect(await linesOf(bytes, 'pdf')).toEqual(at(['page 1', 'page 1']))
  })

  it('as pdf: a weekly grid', async () => {
    const columns = [120, 50, 80, 50, 50, 50].map((width, index) => ({
      x: 40 + index * 100,
      width,
      align: index > 2 ? ('right' as const) : ('left' as const),
    }))
    const bytes = await pdfOf(columns, [
      [
        ['Program', 'Length', 'Unit Rate', '6/3', '6/10', '6/17'],
        ['Prime', ':30', '$1,250.50', '10', '4', '-'],
      ],
    ])
    expect(await linesOf(bytes, 'pdf')).toEqual(at(['page 1', 'page 1']))
  })

  // Made by LibreOffice Calc from a workbook (test/support/files/foreign/makeFiles.py): text is left-aligned and numbers are right-aligned.
  it('as pdf: headings on the left of columns whose numbers are on the right, in the same order', async () => {
    const bytes = await readFile(new URL('../../support/files/foreign/libreoffice-buysheet.pdf', import.meta.url))
    expect(await linesOf(bytes, 'pdf')).toEqual(at(['page 1', 'page 1']))
    expect(documentOf(await readSheets(bytes, 'pdf'))?.doubts).toEqual([[], []])
  })

  it('has what a sheet hides left out, and its macros unread', async () => {
    const { rows } = LAYOUTS['a plain list'] as Sheet
    const sheets = [
      { name: 'Draft', rows: [...rows, ['prime', '2030-W25', 30, 99, 1]], hidden: true },
      { name: 'Buy', rows },
    ]
    const bytes = Buffer.from(await writeXlsx({ sheets, vbaProject: new Uint8Array(2_000) }))
    expect(await linesOf(bytes, 'xlsx')).toEqual(at(['D2', 'D3']))
  })
})

it('is a csv whose plain fields may hold quotes: they are letters', async () => {
  const sheet = Buffer.from('Product,Week,Length,Units,Rate\nprime,2030-W23,30",10,1250.50\n')
  expect(await read(sheet, 'csv')).toMatchObject({ lines: [{ spot_length: { read: '30"' } }] })
})

describe('a hostile file', () => {
  const deep = Array.from({ length: 100_000 }, (_, index) => `<a${index}>`).join('')
  const sheet = async () => xlsxOf(LAYOUTS['a plain list'] as Sheet)
  const bomb = (claims?: number) =>
    zipOf({ '[Content_Types].xml': '<Types/>', 'xl/worksheets/sheet1.xml': Buffer.alloc(120 * 1024 * 1024, 32) }, claims)
  const parts = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`xl/${index}.xml`, '']))
  const FILES: [string, UploadFormat, () => Uint8Array | Promise<Uint8Array>, RegExp][] = [
    ['that inflates to too much', 'xlsx', () => bomb(), /decompressed content/],
    ['that lies about what it inflates to', 'xlsx', () => bomb(1_000), /damaged|decompressed content/],
    ['of too many parts', 'xlsx', () => zipOf(parts), /1000 parts/],
    ['that is a zip and no workbook', 'xlsx', () => zipOf({ 'readme.txt': 'hello' }), /is not a workbook/],
    ['that ends in the middle', 'xlsx', async () => (await sheet()).subarray(0, 700), /damaged/],
    ['nested without end', 'xlsx', () => zipOf({ '[Content_Types].xml': deep, 'xl/workbook.xml': deep, '_rels/.rels': deep }), /damaged/],
    ['of too many rows', 'csv', () => Buffer.from('a\n'.repeat(100_001)), /rows|cells/],
    ['of too many cells', 'csv', () => Buffer.from('1,2,3\n'.repeat(40_000)), /cells/],
    ['of too many columns', 'csv', () => Buffer.from(`${','.repeat(300)}\n`), /columns/],
    ['of one endless record', 'csv', () => Buffer.from(`"${'x'.repeat(200_000)}"`), /row 1 is damaged or too long/],
    ['that is not UTF-8', 'csv', () => Buffer.from([0x61, 0xff, 0xfe]), /UTF-8/],
    ['that says pdf and is none', 'pdf', () => Buffer.from('%PDF-1.7\nnothing of the kind'), /damaged/],
    ['of endless arrays', 'pdf', () => Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(500_000)}\nendobj\ntrailer<</Root 1 0 R>>`), /./],
  ]

  it('is unreadable, which is an answer, and says why', async () => {
    const answers: Record<string, unknown> = {}
    const queue = FILES.map(([what, format, bytes]) => ({ what, format, bytes }))
    const reader = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        answers[next.what] = await read(await next.bytes(), next.format)
    }
    await Promise.all([reader(), reader(), reader()])
    expect(answers).toEqual(Object.fromEntries(FILES.map(([what, , , why]) => [what, { unreadable: expect.stringMatching(why) }])))
  })

  it('is answered, for any change of a good one', async () => {
    const good: [UploadFormat, Buffer][] = [
      ['csv', csvOf(LAYOUTS['a plain list'] as Sheet)],
      ['xlsx', await sheet()],
      [
        'pdf',
        await pdfOf(
          [
            { x: 40, width: 90 },
            { x: 160, width: 90 },
            { x: 280, width: 90 },
          ],
          [
            [
              ['Product', 'Units', 'Rate'],
              ['Prime', '10', '100'],
            ],
          ],
        ),
      ],
    ]
    const change = fc.record({
      of: fc.nat(2),
      places: fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)), { minLength: 1, maxLength: 12 }),
      keep: fc.double({ min: 0.2, max: 1, noNaN: true }),
    })
    const end = Date.now() + 3_000
    for (const { of, places, keep } of fc.sample(change, 1_000)) {
      if (Date.now() > end) break
      const [format, bytes] = good[of] as [UploadFormat, Buffer]
      const mutant = Buffer.from(bytes.subarray(0, Math.ceil(bytes.length * keep)))
      for (const [place, byte] of places) mutant[Math.floor(place * mutant.length)] = byte
      const answer = await read(mutant, format)
      if ('unreadable' in answer) expect(answer.unreadable).not.toBe('')
      else expect(answer.lines.length).toBeGreaterThan(0)
    }
  })

  it('names the row that opens a quote that never ends', async () => {
    expect(await read(Buffer.from('Product,Week\nprime,2030-W23\n"prime,2030-W24\n'), 'csv')).toEqual({
      unreadable: 'row 3 opens a quote that is never closed',
    })
  })

  it('names what separates its fields, if not commas', async () => {
    expect(await read(Buffer.from('Program;Week;Spots;Rate, gross\nprime;2030-W23;10;1250,50\n'), 'csv')).toEqual({
      unreadable: 'its fields are separated by semicolons; save it with commas between the fields and points in decimals',
    })
  })

  it('has its long cells cut, and says so', async () => {
    const answer = await read(
      csvOf({
        rows: [
          ['Product', 'Week', 'Units', 'Rate'],
          ['p'.repeat(300), '2030-W23', 1, 2],
        ],
      }),
      'csv',
    )
    expect(answer).toMatchObject({ lines: [{ product: { read: `${'p'.repeat(256)}…`, at: 'A2' } }] })
  })

  // A workbook writes both as escapes (_x0000_, _xD800_); the snapshot of an order that kept them could not be read as JSON in the database.
  it.each(['\u0000', '\ud800'])('has U+FFFD for a character that an order cannot keep', async (character) => {
    const rows = [
      ['Product', 'Week', 'Units', 'Rate'],
      [`Prime${character}Time`, '2030-W23', 1, 2],
    ]
    const said = { lines: [{ product: { read: 'Prime\ufffdTime', at: 'A2' } }] }
    expect(await read(await xlsxOf({ rows }), 'xlsx')).toMatchObject(said)
    expect(await read(csvOf({ rows }), 'csv')).toMatchObject(said)
  })

  it('is not blamed for a reader that was stopped from outside', async () => {
    const stop = new AbortController()
    const reading = read(await sheet(), 'xlsx', stop.signal)
    stop.abort()
    await expect(reading).rejects.toThrow(/abort/)
  })
})

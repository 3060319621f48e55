import fc from 'fast-check'
import { partsOf, zipOf } from '../../support/files/zip.ts'

/** A change to some bytes of a file or of a part of a workbook. */
export type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** Pieces that break tables, JSON, containers and the XML of sheets. */
const PIECES = [
  ...['"', ',', '\n', '\r', ';', '\u0000', '\ufeff', '{', '[', ']', '}', '\\', '|', '=1+1', '1e999', '-', '__proto__', '21;', '\t'],
  ...['PAR1', 'PK\u0003\u0004', '&#x0;', '&#1114112;', '&a;', ']]>', '<!--', '<f>', '</c>', '</row>', '<v>', '<is><t>', '<c r="A1"/>'],
  ...[
    '<row r="0">',
    '<row r="1048577">',
    '<c r="XFE1" t="s"><v>99999999</v></c>',
    ' t="s"',
    ' s="99999"',
    ' r="A0"',
    ' r="ZZZZ1"',
    ' t="d"',
  ],
  ...['<!DOCTYPE x [<!ENTITY a "b">]>', '<![CDATA[', '<dimension ref="A1:XFD1048576"/>', '<si/>', '<sheet name="x" r:id="rId9"/>'],
]

const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('flip', 'flip', 'flip', 'insert', 'insert', 'remove', 'cut', 'repeat', 'number'),
  byte: fc.nat(255),
  length: fc.nat(64),
  piece: fc.constantFrom(...PIECES),
})

export const changes = fc.array(change, { minLength: 1, maxLength: 3 })

export function damaged(bytes: Buffer, made: readonly Change[]): Buffer {
  return made.reduce(changed, bytes)
}

/** Damages the XML of a workbook and keeps its container valid. Each change hits one part, mostly a sheet. */
export async function damagedWithin(workbook: Buffer, made: readonly Change[]): Promise<Buffer> {
  const parts = await partsOf(workbook)
  const names = [...parts.keys()]
  const sheets = names.filter((name) => name.startsWith('xl/worksheets/sheet') || name === 'xl/sharedStrings.xml')
  for (const one of made) {
    const among = one.length % 4 === 0 || sheets.length === 0 ? names : sheets
    const name = among[one.byte % among.length] as string
    parts.set(name, changed(parts.get(name) as Buffer, one))
  }
  return zipOf(Object.fromEntries(parts))
}

const NUMBERS = [0, 1, 0x7fffffff, 0xffffffff] as const

function changed(current: Buffer, { at: place, how, byte, length, piece }: Change): Buffer {
  // Favours the end of the file, which is where the directory of a parquet or zip file is.
  const at = place % 2 === 0 ? place % (current.length + 1) : Math.max(current.length - 1 - (place % 400), 0)
  const [before, after] = [current.subarray(0, at), current.subarray(at)]
  switch (how) {
    case 'flip':
      return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)])
    case 'insert':
      return Buffer.concat([before, Buffer.from(piece), after])
    case 'remove':
      return Buffer.concat([before, after.subarray(length)])
    case 'cut':
      return before.length > 0 ? before : current
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, length), after])
    case 'number': {
      const copy = Buffer.from(current)
      if (at + 4 <= copy.length) copy.writeUInt32LE(NUMBERS[byte % NUMBERS.length] as number, at)
      return copy
    }
  }
}

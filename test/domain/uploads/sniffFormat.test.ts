import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { sniffFormat } from '../../../src/domain/uploads/sniffFormat.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const formatOf = (...chunks: Uint8Array[]) => {
  const sniffer = sniffFormat()
  for (const chunk of chunks) sniffer.see(chunk)
  return sniffer.format()
}
const textFormat = (text: string) => formatOf(bytesOf(text))

describe('by signature', () => {
  it.each([
    ['%PDF-1.7\n%âãÏÓ\n', 'pdf'],
    ['%PDF-', 'pdf'],
    ['PK\x03\x04\x14\x00\x06\x00', 'xlsx'],
    ['PK\x03\x04', 'xlsx'],
  ])('%j is known', (text, format) => {
    expect(formatOf(Buffer.from(text, 'latin1'))).toBe(format)
  })

  it.each([
    ['an empty file', ''],
    ['half a signature, binary', 'PK\x03'],
    ['a signature that comes late', '\x00%PDF-1.7'],
    ['an empty zip archive', 'PK\x05\x06'],
    ['a picture', '\x89PNG\r\n\x1a\n'],
    ['an older workbook', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ])('%s is none', (_, text) => {
    expect(formatOf(Buffer.from(text, 'latin1'))).toBeNull()
  })

  it('is read over the edge of chunks', () => {
    expect(formatOf(...Array.from(bytesOf('%PDF-1.7'), (byte) => Uint8Array.of(byte)))).toBe('pdf')
  })
})

describe('csv: a table', () => {
  it.each([
    ['a header alone', 'a,b,c'],
    ['rows as wide as the header', 'a,b\n1,2\n3,4\n'],
    ['a single column', 'name\nAda\nGrace\n'],
    ['empty fields', 'a,b\n,\n1,\n'],
    ['empty lines anywhere', '\n\na,b\n\n1,2\n\n\n'],
    ['line ends of Windows', 'a,b\r\n1,2\r\n'],
    ['line ends of old Macs', 'a,b\r1,2\r'],
    ['no line end at the end', 'a,b\n1,2'],
    ['a quoted comma', 'a,b\n"1,5",2'],
    ['a quoted line end', 'a,b\n"one\ntwo\r\nthree",2\n'],
    ['doubled quotes', 'a,b\n"say ""hi"", twice",2\n'],
    ['an empty quoted field', 'a,b\n"",""\n'],
    ['a quote inside a plain field', 'size,name\n5" x 7",photo\n'],
    ['a quoted header', '"a,1","b"\n1,2\n'],
    ['a byte order mark', '\ufeffa,b\n1,2\n'],
    ['a byte order mark before a quote', '\ufeff"a,1",b\n1,2\n'],
    ['letters of every kind', 'città,名前,🙂\nè,é,ê\n'],
    ['tabs', 'a\tb,c\n1,2\n'],
    ['a brace that does not lead', 'a,b\n{x,[y\n'],
    ['a quoted brace that leads', '"{a",b\n1,2\n'],
  ])('%s', (_, text) => {
    expect(textFormat(text)).toBe('csv')
  })
})

describe('csv: no table', () => {
  it.each([
    ['nothing but line ends', '\n\r\n'],
    ['a byte order mark alone', '\ufeff'],
    ['a short row', 'a,b\n1\n'],
    ['a long row', 'a,b\n1,2,3\n'],
    ['a ragged last row without line end', 'a,b\n1,2\n3'],
    ['a header that is the short one', 'a\n1,2\n'],
    ['a row of spaces beside two columns', 'a,b\n  \n'],
    ['a quote that is never closed', 'a,b\n"1,2\n'],
    ['a quoted field that swallows a comma', 'a,b\n"1,2"\n'],
    ['an object', '{"a":1}'],
    ['a list', '[1]'],
    ['markup', '<html></html>'],
    ['an object after a byte order mark', '\ufeff{"a":1}'],
    ['an object after spaces and line ends', ' \r\n\t{'],
    ['U+0000', 'a,b\n1,\0\n'],
    ['an escape', 'a,b\n1,\x1b[0m\n'],
  ])('%s', (_, text) => {
    expect(textFormat(text)).toBeNull()
  })

  it.each([
    ['Latin-1', [0x61, 0x2c, 0xe9]],
    ['an overlong form', [0x61, 0xc0, 0xaf]],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80]],
    ['a character that is cut off', [0x61, 0xe2, 0x82]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
  ])('%s', (_, bytes) => {
    expect(formatOf(Uint8Array.from(bytes))).toBeNull()
  })
})

/** Fields as a careful program writes them: quoted where they must be. */
const field = fc
  .string({ unit: fc.constantFrom('a', 'é', '名', '🙂', ' ', '"', ',', '\n', '\r', '{'), maxLength: 8 })
  .map((text) => (/[",\n\r{]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
const table = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 8 }), fc.constantFrom('\n', '\r\n', '\r'))
  .chain(([width, height, end]) =>
    fc
      .array(fc.array(field, { minLength: width, maxLength: width }), { minLength: height, maxLength: height })
      .map((rows) => ({ width, end, lines: [Array(width).fill('head'), ...rows].map((row) => row.join(',')) })),
  )
const cut = (bytes: Uint8Array, sizes: number[]) => {
  const chunks: Uint8Array[] = []
  let at = 0
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })

describe('any csv', () => {
  it('that is valid is recognized in any division into chunks', () => {
    fc.assert(
      fc.property(table, sizes, ({ end, lines }, parts) => {
        expect(formatOf(...cut(bytesOf(lines.join(end)), parts))).toBe('csv')
      }),
    )
  })

  it('is not recognized with a row of another width', () => {
    fc.assert(
      fc.property(table, fc.nat(), sizes, ({ width, end, lines }, at, parts) => {
        const ragged = [...lines]
        ragged.splice(
          at % (lines.length + 1),
          0,
          Array(width + 1)
            .fill('x')
            .join(','),
        )
        // A table of one row is as wide as that row.
        expect(formatOf(...cut(bytesOf(ragged.join(end)), parts))).toBeNull()
      }),
    )
  })

  it('is not recognized with a byte that no text has', () => {
    fc.assert(
      fc.property(table, fc.nat(), fc.constantFrom(0x00, 0x1b, 0xff, 0xc0), ({ end, lines }, at, byte) => {
        const bytes = [...bytesOf(lines.join(end))]
        bytes.splice(at % (bytes.length + 1), 0, byte)
        expect(formatOf(Uint8Array.from(bytes))).toBeNull()
      }),
    )
  })
})

describe('any bytes', () => {
  it('are the same whole and in chunks', () => {
    const mixed = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '\ufeff', 'é', '{'), maxLength: 60 }).map(bytesOf),
    )
    fc.assert(
      fc.property(mixed, sizes, (bytes, parts) => {
        expect(formatOf(...cut(bytes, parts))).toBe(formatOf(bytes))
      }),
      { numRuns: 500 },
    )
  })
})

import { open } from 'node:fs/promises'
import type { DropFormat } from '../../../contract/vocabulary/drops.ts'
import { Unreadable } from '../unreadable.ts'

/** Refuses a file that is empty or begins like another format. */
export async function checkSignature(path: string, format: DropFormat): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    if (bytesRead === 0) throw new Unreadable('it is empty')
    const found = SIGNATURES.find(({ bytes }) => buffer.subarray(0, bytes.length).equals(bytes))
    if (found !== undefined && found.format !== format)
      throw new Unreadable(`it is ${found.name}, not ${format}${found.name === UTF_16 ? `; ${inUtf8(format)}` : ''}`)
    if (found === undefined && (format === 'xlsx' || format === 'parquet')) throw new Unreadable(`it is not a ${format} file`)
    const other = otherText(buffer.toString('latin1', 0, bytesRead))
    if (found === undefined && other !== undefined) throw new Unreadable(`it is ${other}; send csv, xlsx, parquet or json`)
  } finally {
    await file.close()
  }
}

/** The bytes in which the form of a text shows. */
const HEAD_BYTES = 8 * 1024
const XML = /^(?:\u00ef\u00bb\u00bf)?\s*<[?!A-Za-z]/
/** A row of dashes below the headings, one run for each column. */
const RULER = /^ *-{2,}(?: +-{2,}){2,} *\r?$/m

/** Returns the name of a form of text that drops do not have. */
function otherText(head: string): string | undefined {
  if (XML.test(head)) return /bxf/i.test(head) ? 'XML of BXF' : 'XML or HTML'
  return RULER.test(head) ? 'a text with columns of fixed width' : undefined
}

/** What makes a csv file of Excel readable. */
export const SAVE_AS_UTF8 = 'save it as "CSV UTF-8 (comma delimited)"'

function inUtf8(format: DropFormat): string {
  return format === 'csv' ? SAVE_AS_UTF8 : 'send UTF-8'
}

const UTF_16 = 'UTF-16'

const SIGNATURES: readonly { bytes: Buffer; name: string; format?: DropFormat }[] = [
  { bytes: Buffer.from('PK\u0003\u0004'), name: 'a zip or xlsx file', format: 'xlsx' },
  { bytes: Buffer.from('PAR1'), name: 'a parquet file', format: 'parquet' },
  { bytes: Buffer.from('PARE'), name: 'an encrypted parquet file' },
  { bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex'), name: 'an encrypted workbook or one of the old form xls' },
  { bytes: Buffer.from('1f8b', 'hex'), name: 'a gzip file' },
  { bytes: Buffer.from('%PDF'), name: 'a pdf file' },
  { bytes: Buffer.from([0xff, 0xfe]), name: UTF_16 },
  { bytes: Buffer.from([0xfe, 0xff]), name: UTF_16 },
]

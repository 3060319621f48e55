import type { UploadFormat } from '../../contract/vocabulary.ts'
import { addUp } from '../addUp.ts'
import { SEPARATORS, separatorInstead } from '../csvSeparators.ts'

/** Inspects bytes as they pass and keeps none of them. */
export interface FormatSniffer {
  see(chunk: Uint8Array): void
  /** Returns the format of all bytes seen; null if it is none of the formats. Call it once, after the last byte. */
  format(): UploadFormat | null
  /** Returns the row that makes text an invalid csv, if one row is the reason. Call it after `format`. */
  csvFault(): CsvFault | undefined
  /** Returns the name of what separates the fields of a text whose first row has more of it than commas. Call it after `format`. */
  csvSeparator(): string | undefined
}

export interface CsvFault {
  /** Counts from 1, including empty rows. */
  readonly row: number
  /** The predicate of a sentence whose subject is the row. */
  readonly message: string
}

/**
 * Detects the format of bytes in chunks of any size: pdf and xlsx by signature, csv by structure (contract, Upload). Any zip container counts as
 * xlsx; its content is checked when the file is read.
 */
export function sniffFormat(): FormatSniffer {
  const start: number[] = []
  const text = strictText()
  const rows = csvRows()
  let isText = false
  return {
    see(chunk) {
      for (const byte of chunk.subarray(0, LONGEST - start.length)) start.push(byte)
      if (!text.see(chunk)) return
      for (const byte of chunk) rows.see(byte)
    },
    format() {
      const signed = SIGNATURES.find(({ bytes }) => bytes.every((byte, index) => start[index] === byte))
      if (signed !== undefined) return signed.format
      isText = text.ended()
      return isText && rows.ended() ? 'csv' : null
    },
    csvFault: () => (isText ? rows.fault() : undefined),
    csvSeparator: () => (isText ? separatorInstead(rows.marks) : undefined),
  }
}

const ascii = (word: string): number[] => Array.from(word, (letter) => letter.charCodeAt(0))
const SIGNATURES = [
  { format: 'pdf', bytes: ascii('%PDF-') },
  { format: 'xlsx', bytes: ascii('PK\x03\x04') },
] as const
const LONGEST = 5

/** Accepts UTF-8 without the control characters that occur only in binary files. */
function strictText() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isText = true
  const decoded = (chunk?: Uint8Array): boolean => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
      return true
    } catch {
      return false
    }
  }
  return {
    see(chunk: Uint8Array): boolean {
      isText &&= !chunk.some(isBinary) && decoded(chunk)
      return isText
    },
    ended: (): boolean => isText && decoded(),
  }
}

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA] = ascii('\t\n\r ",') as [number, number, number, number, number, number]
const MARKS = [COMMA, ...SEPARATORS.map(([mark]) => mark.charCodeAt(0))]
const FOREIGN_STARTS = ascii('{[<')
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

function isBinary(byte: number): boolean {
  return byte < SPACE && byte !== TAB && byte !== NEWLINE && byte !== RETURN
}

/**
 * Checks that every row that is not empty has as many fields as the first. A quoted field may contain commas, line ends and doubled quotes.
 * Works on bytes: the structure of a csv is ASCII, and other UTF-8 characters contain no ASCII bytes.
 */
function csvRows() {
  let position = 0
  let begun = false
  let foreign = false
  let row = 1
  let quotedSince = 1
  let afterReturn = false
  let fault: CsvFault | undefined
  let columns = 0
  let fields = 1
  const marks = new Map<number, number>()
  let place: 'row start' | 'field start' | 'plain' | 'quoted' | 'quote in quoted' = 'row start'

  const endRow = () => {
    if (place !== 'row start') {
      if (columns === 0) columns = fields
      if (fields !== columns) fault ??= { row, message: `has ${counted(fields, 'field')}, but the first row has ${columns}` }
    }
    fields = 1
    place = 'row start'
  }
  const see = (byte: number): void => {
    const at = position
    position += 1
    if (at < 3 && byte === BYTE_ORDER_MARK[at]) return
    if (!begun && byte !== SPACE && byte !== TAB && byte !== NEWLINE && byte !== RETURN) {
      begun = true
      foreign = FOREIGN_STARTS.includes(byte)
    }
    if (columns === 0 && place !== 'quoted' && MARKS.includes(byte)) addUp(marks, byte)
    if (place === 'quoted') {
      if (byte === QUOTE) place = 'quote in quoted'
    } else if (byte === QUOTE && place !== 'plain') {
      if (place !== 'quote in quoted') quotedSince = row
      place = 'quoted' // opens a field, or is the second of a doubled quote
    } else if (byte === COMMA) {
      fields += 1
      place = 'field start'
    } else if (byte === NEWLINE || byte === RETURN) {
      endRow()
      if (byte === RETURN || !afterReturn) row += 1
    } else {
      place = 'plain'
    }
    afterReturn = byte === RETURN
  }
  return {
    see,
    /** Returns true if the whole text is a table with at least a header. */
    ended(): boolean {
      if (place === 'quoted') fault = { row: quotedSince, message: 'opens a quote that is never closed' }
      else endRow()
      return columns > 0 && fault === undefined && !foreign
    },
    fault: () => (foreign ? undefined : fault),
    /** Returns how often the first row has a mark outside of quotes. */
    marks: (mark: string): number => marks.get(mark.charCodeAt(0)) ?? 0,
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

import type { AsyncBuffer, FileMetaData, PageHeader } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { Unreadable } from '../unreadable.ts'

/**
 * Throws Unreadable unless each page of the columns with these names states its numbers of values and bytes. The library adds lengths to its position unchecked:
 * a missing length makes the position NaN, where every read returns the first byte, endlessly.
 */
export async function checkPages(file: AsyncBuffer, { row_groups }: FileMetaData, names: readonly string[]): Promise<void> {
  for (const { columns } of row_groups) {
    for (const { meta_data } of columns) {
      if (meta_data === undefined || !names.includes(meta_data.path_in_schema[0] ?? '')) continue
      const begin = Number(meta_data.dictionary_page_offset || meta_data.data_page_offset)
      const end = Math.min(begin + Number(meta_data.total_compressed_size), file.byteLength)
      await checkChunk(file, begin, end)
    }
  }
}

/** The bytes that are read for headers at a time. */
const WINDOW_BYTES = 256 * 1024
/** The most bytes of a header with its statistics, unless a value is very long. */
const HEADER_BYTES = 16 * 1024

/** Walks from header to header, and reads the bytes between them only if pages are small. */
async function checkChunk(file: AsyncBuffer, begin: number, end: number): Promise<void> {
  let window = { from: begin, view: new DataView(new ArrayBuffer(0)) }
  const windowAt = async (place: number, bytes: number) => {
    window = { from: place, view: new DataView(await file.slice(place, Math.min(place + bytes, end))) }
  }
  // The library treats a single byte left at the end of a column as padding.
  for (let place = begin; place < end - 1; ) {
    if (place + HEADER_BYTES > window.from + window.view.byteLength) await windowAt(place, WINDOW_BYTES)
    let reader = { view: window.view, offset: place - window.from }
    let header: PageHeader
    try {
      header = parquetHeader(reader)
    } catch (error) {
      if (window.from + window.view.byteLength >= end) throw error
      await windowAt(place, end - place)
      reader = { view: window.view, offset: 0 }
      header = parquetHeader(reader)
    }
    if (!isComplete(header)) throw new Unreadable('it is damaged (a page does not state its lengths)')
    place = window.from + reader.offset + header.compressed_page_size
  }
}

function isComplete({ type, compressed_page_size, uncompressed_page_size, ...pages }: PageHeader): boolean {
  const { data_page_header: page, data_page_header_v2: page2, dictionary_page_header: dictionary } = pages
  if (!areLengths(compressed_page_size, uncompressed_page_size)) return false
  if (type === 'DATA_PAGE') return areLengths(page?.num_values)
  if (type === 'DICTIONARY_PAGE') return areLengths(dictionary?.num_values)
  if (type !== 'DATA_PAGE_V2') return true
  const { num_values, num_nulls, num_rows, definition_levels_byte_length, repetition_levels_byte_length } = page2 ?? {}
  return (
    areLengths(num_values, num_nulls, num_rows, definition_levels_byte_length, repetition_levels_byte_length) &&
    Number(definition_levels_byte_length) + Number(repetition_levels_byte_length) <= compressed_page_size
  )
}

function areLengths(...values: unknown[]): boolean {
  return values.every((value) => Number.isInteger(value) && Number(value) >= 0)
}

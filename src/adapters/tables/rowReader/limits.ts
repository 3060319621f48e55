import { BYTES_PER_XLSX, ROWS_PER_DROP_FILE } from '../../../contract/vocabulary/drops.ts'
import type { ZipLimits } from '../../files/zipLimits.ts'

/** Resource limits for decoding one file of a drop (choices, File drops). */
export { COLUMNS, CSV_RECORD_BYTES } from '../tableReader/limits.ts'
export const ROWS = ROWS_PER_DROP_FILE
export const XLSX_BYTES = BYTES_PER_XLSX
/** Limits for one workbook: 1 M rows of ten cells inflate to 0.5 GB. */
export const XLSX_ZIP: ZipLimits = { parts: 1_000, inflatedBytes: 1024 * 1024 * 1024, ratio: 100 }
/** The most bytes of one entry of a json file. */
export const JSON_ENTRY_BYTES = 4 * 1024 * 1024
/** The rows of a parquet file that are decoded at a time. */
export const PARQUET_ROWS = 20_000

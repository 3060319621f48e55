/** Resource limits for reading one file (choices, A document's reader). */
export const READ_MS = 30_000
/** The limit of the whole process, since buffers are outside of the heap, which has its own limit. */
export const MEMORY_BYTES = 900 * 1024 * 1024
export const FILE_BYTES = 64 * 1024 * 1024

export const ZIP_ENTRIES = 1_000
export const INFLATED_BYTES = 100 * 1024 * 1024
export const INFLATION = 100

export const ROWS = 100_000
export const COLUMNS = 256
/** The limit of spreadsheet programs; each cell's name includes its sheet's name. */
export const SHEET_NAME_CHARACTERS = 31
export const PAGES = 200
/** The most cells with text, since the whole result is held in memory. */
export const CELLS = 100_000
export const CSV_RECORD_BYTES = 128 * 1024
/** The most totals that a document states: some for each line, and one for each week and part. */
export const TOTALS = 2_000

/** What a file may cost its reader (choices, A document's reader). */
export const READ_MS = 30_000
/** Of the whole process: its heap has a limit of its own, and buffers live outside of it. */
export const MEMORY_BYTES = 900 * 1024 * 1024
export const FILE_BYTES = 64 * 1024 * 1024

export const ZIP_ENTRIES = 1_000
export const INFLATED_BYTES = 100 * 1024 * 1024
export const INFLATION = 100

export const ROWS = 100_000
export const COLUMNS = 256
/** As many as a spreadsheet program allows; each cell of a sheet is named with it. */
export const SHEET_NAME_CHARACTERS = 31
export const PAGES = 200
/** Cells with text: what is handed back is held in memory as a whole. */
export const CELLS = 100_000
export const CSV_RECORD_BYTES = 128 * 1024

/** Why a file is not read; the message is for the buyer. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

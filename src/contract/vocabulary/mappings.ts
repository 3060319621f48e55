/** The closed vocabularies and limits of mappings of files. Has only constants and types, so the pure rules can import it without zod. */

export const DATE_ORDERS = ['mdy', 'dmy'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]

export const DECIMAL_MARKS = ['point', 'comma'] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]

/** The part of a cell's text that is the value: the last text in round brackets, what is before or after the first colon, or the first or last word. */
export const CELL_PARTS = ['in_brackets', 'before_colon', 'after_colon', 'first_word', 'last_word'] as const
export type CellPart = (typeof CELL_PARTS)[number]

/** The name of a value that stands for every other text of a cell. */
export const ANY_OTHER = '*'

/** The number of rows after the first in which a header is looked for. */
export const FIRST_ROWS = 20
export const MAPPINGS_PER_SELLER = 100
/** The most columns of a file that may be dropped. */
export const MAPPED_HEADERS = 256
export const MAPPED_COLUMNS = 100
export const MAPPED_VALUES = 500
export const SKIP_RULES = 20
export const SKIPPED_VALUES = 200
/** The most characters of a whole mapping as JSON. */
export const MAPPING_CHARACTERS = 65_536

/** Returns a heading as it is compared: case, outer spaces and the number of spaces do not matter. */
export function headingKey(heading: string): string {
  return heading.trim().split(/\s+/).join(' ').toLowerCase()
}

/** Returns what tells two headers apart: their headings in any order, without empty ones. */
export function headerFingerprint(headings: readonly string[]): string {
  const keys = headings.map(headingKey).filter((key) => key !== '')
  return JSON.stringify(keys.sort())
}

import { ROWS_PER_DROP_FILE } from '../../contract/vocabulary/drops.ts'

/** Resource limits for decoding one file of a drop (choices, Limits of a file). */
export { COLUMNS, CSV_RECORD_BYTES } from '../tableReader/limits.ts'
export const ROWS = ROWS_PER_DROP_FILE

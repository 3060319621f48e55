/** The closed vocabularies and limits of file drops (contract, File drops). Has only constants and types, so the pure rules can import it without zod. */

export const DROP_SCHEMA_VERSION = '1.0'

/** The types of a drop's files, in the order in which they are staged. */
export const DROP_FILE_TYPES = ['catalog', 'rate_cards', 'avails', 'delivery_posts'] as const
export type DropFileType = (typeof DROP_FILE_TYPES)[number]

export const DROP_FORMATS = ['csv', 'parquet', 'xlsx', 'json'] as const
export type DropFormat = (typeof DROP_FORMATS)[number]

/** The states of a drop. `rejected`: nothing of the drop was written. */
export const DROP_STATUSES = ['processing', 'success', 'partial', 'rejected'] as const
export type DropStatus = (typeof DROP_STATUSES)[number]
export type DropOutcome = Exclude<DropStatus, 'processing'>

/** The stages of a run, in order. */
export const DROP_STAGES = ['fetch', 'publish', 'avails', 'posts', 'finish', 'ended'] as const
export type DropStage = (typeof DROP_STAGES)[number]

/** Error codes of rows and, with row 0, of whole files and of the manifest. */
export const DROP_ERRORS = [
  'UNKNOWN_PRODUCT_ID',
  'INVALID_ENTRY',
  'INVALID_HEADER',
  'UNREADABLE_FILE',
  'SHA256_MISMATCH',
  'FILE_MISSING',
  'INVALID_INPUT',
  'CONFLICT',
  'GRAIN_CONFLICT',
  'DUPLICATE_EXTERNAL_REF',
] as const
export type DropErrorCode = (typeof DROP_ERRORS)[number]

export const MANIFEST_FILE = 'manifest.json'
/** The files in which a result lands, without errors and with errors. */
export const RESULT_FILES = ['success.json', 'errors.json'] as const
export type ResultFile = (typeof RESULT_FILES)[number]
/** The errors of errors.json as a table, for people. */
export const ERRORS_TABLE = 'errors.csv'
/** The file that says what a manifest.json waits for, while it waits. */
export const WAITING_FILE = 'waiting.json'
/** The files of a drop that only the service writes. */
export const SERVICE_FILES = [...RESULT_FILES, ERRORS_TABLE, WAITING_FILE] as const

const MIB = 1024 * 1024

export const FILES_PER_DROP = 64
export const BYTES_PER_DROP = 2_048 * MIB
export const BYTES_PER_DROP_FILE = 512 * MIB
/** Smaller than for other formats, since an xlsx file is compressed. */
export const BYTES_PER_XLSX = 64 * MIB
export const ROWS_PER_DROP_FILE = 1_000_000
/** The most errors that a result lists. */
export const ERRORS_PER_DROP = 10_000
/** The most warnings that a result lists. */
export const WARNINGS_PER_DROP = 1_000
/** The most bytes of a manifest.json, as for the body that registers a drop. */
export const MANIFEST_BYTES = MIB

/** The records of a delivery_posts file. */
export const RECORD_TYPES = ['as_run', 'invoice', 'post'] as const
export type RecordType = (typeof RECORD_TYPES)[number]

export const AIRING_CLOCKS = ['calendar', 'broadcast'] as const
/** The run codes of a spot. `N`: it did not run and is not billed. */
export const RUN_CODES = ['Y', 'N'] as const
/** The streams of a post: live viewing, or live with the viewing of the next three or seven days. */
export const POST_STREAMS = ['Live', 'C3', 'C7'] as const

/** The reasons why a manifest.json that has landed waits. */
export const MANIFEST_WAITS = ['waiting_for_files', 'hashing_files', 'daily_limit'] as const
export type ManifestWait = (typeof MANIFEST_WAITS)[number]

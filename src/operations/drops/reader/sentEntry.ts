import type { RowError, RowWarning } from './messages.ts'

/** An entry as its file has it, not yet parsed by any schema. */
export interface SentEntry {
  readonly row: number
  readonly entry: unknown
  /** The other members of the body or the row that holds the entry. */
  readonly head: Readonly<Record<string, unknown>>
  /** The reason why there is no entry. */
  readonly error?: RowError
  /** Whether the sender chose its member names; names from columns are known. */
  readonly isAsSent?: boolean
  /** Whether members with equal content share one value across such entries. Nobody may change these values. */
  readonly isShared?: boolean
  /** Whether the entry comes from a station invoice file. */
  readonly isStation?: boolean
  /** For an entry of several rows: all its rows, and the rows of its list items. */
  readonly rows?: readonly number[]
  readonly itemRows?: readonly number[]
}

export type SentEntries = AsyncGenerator<readonly SentEntry[], void, undefined>

export type Warn = (warning: RowWarning) => void

import type { DocumentLine, LineDoubt } from '../../contract/documentParse.ts'

/** A line in the words of the document. A member that the document does not state is absent. */
export type ReadLine = DocumentLine['read']

/** A total that the document states. */
export interface ReadTotal {
  readonly of: 'gross' | 'units'
  readonly read: string
  readonly at: string
  readonly value: string
  /** What it includes that no line books: the money, or the units, of fees. */
  readonly fees?: string
  /** The positions of the lines that it sums; if omitted, all lines. */
  readonly lines?: readonly number[]
}

export interface ReadDocument {
  readonly lines: readonly ReadLine[]
  /** What may be wrong about each line, in their order. */
  readonly doubts: readonly (readonly LineDoubt[])[]
  readonly totals: readonly ReadTotal[]
}

/** The content of a document, or the reason why it cannot be read. */
export type DocumentReading = ReadDocument | { readonly unreadable: string }

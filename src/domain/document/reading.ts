import type { DocumentLine, DocumentQuestion, LineDoubt } from '../../contract/documentParse.ts'
import type { LayoutFamily } from '../../contract/vocabulary.ts'

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

/** An answer, with what it makes of the lines of its question, by their positions. */
export interface ReadChoice {
  readonly choice: string
  readonly text: string
  /** The lines that stay ordered; if omitted, all of them. */
  readonly orders?: readonly number[]
  /** What lines state then. */
  readonly read?: readonly ({ readonly place: number } & Pick<ReadLine, 'period' | 'units' | 'unit_cost'>)[]
}

export interface ReadQuestion extends Pick<DocumentQuestion, 'kind' | 'message' | 'at' | 'label'> {
  /** The positions of the lines that wait for the answer. */
  readonly lines: readonly number[]
  readonly choices: readonly ReadChoice[]
}

/** A row of a document that orders nothing, and why. */
export interface IgnoredRow {
  readonly row: string
  readonly at: string
  readonly reason: string
}

export interface ReadDocument {
  readonly lines: readonly ReadLine[]
  /** What may be wrong about each line, in their order. */
  readonly doubts: readonly (readonly LineDoubt[])[]
  readonly totals: readonly ReadTotal[]
  readonly questions?: readonly ReadQuestion[]
  readonly ignored?: readonly IgnoredRow[]
  /** The words of its headings: documents with the same ones are of one layout. */
  readonly headings?: string
  /** How it says when its lines air. */
  readonly family?: LayoutFamily
}

/** Why a document cannot be read: in words, the kind of document that it is instead, and what to send in its place. */
export interface UnreadableDocument {
  readonly unreadable: string
  readonly kind?: string
  readonly instead?: string
}

/** The content of a document, or the reason why it cannot be read. */
export type DocumentReading = ReadDocument | UnreadableDocument

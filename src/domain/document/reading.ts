import type { DocumentPage } from '../../contract/documentPages.ts'
import type { DocumentLine, DocumentQuestion, LineDoubt } from '../../contract/documentParse.ts'
import type { LayoutFamily } from '../../contract/vocabulary.ts'
import type { Sheet, Text } from './cells.ts'

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

/** What a person sees of a document beside its reading: its first texts, and how many there are beyond. */
export interface ShownPages {
  readonly pages: DocumentPage[]
  readonly left_out: number
}

/** Returns the first texts of a document for a person to see, so many that a reply can hold them. */
export function shownPages(sheets: readonly Sheet[]): ShownPages {
  let room = TEXTS_SHOWN
  let left_out = 0
  const pages: DocumentPage[] = []
  for (const { layout, name, texts } of sheets) {
    const shown = texts.slice(0, room)
    room -= shown.length
    left_out += texts.length - shown.length
    if (shown.length === 0) continue
    pages.push({ layout, ...(name === undefined ? {} : { name }), texts: shown.map(placed) })
  }
  return { pages, left_out }
}

/** About half a megabyte; an order of thirty lines over a quarter has a thousand. */
const TEXTS_SHOWN = 4_000

function placed({ text, at, left, right, y, size, rows }: Text): DocumentPage['texts'][number] {
  const [from, to, base, height] = [left, right, y, size].map((value) => Math.round(value * 10) / 10) as [number, number, number, number]
  return { text, at, left: from, right: to, y: base, size: height, ...(rows === undefined ? {} : { rows }) }
}

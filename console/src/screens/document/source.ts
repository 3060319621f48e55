import type { SourcePages } from '../../api/queries/uploads.ts'

export type SourcePage = SourcePages['pages'][number]
export type SourceText = SourcePage['texts'][number]

/** A value as it was read, with its place. */
export interface Mark {
  readonly read: string
  readonly at: string
}

/** A row of a sheet as a table shows it: its cells by their columns. */
export interface SheetRow {
  readonly number: number
  readonly cells: ReadonlyMap<number, SourceText>
}

/** Arranges the texts of a sheet as rows of cells. */
export function rowsOf({ texts }: SourcePage): { rows: SheetRow[]; columns: number } {
  const rows = new Map<number, Map<number, SourceText>>()
  for (const text of texts) {
    const row = rows.get(text.y) ?? new Map<number, SourceText>()
    row.set(text.left, text)
    rows.set(text.y, row)
  }
  const columns = texts.reduce((max, { right }) => Math.max(max, right), 0)
  const ordered = [...rows].sort(([one], [other]) => one - other).map(([, cells]) => ({ number: numberOf(cells), cells }))
  return { rows: ordered, columns: Math.min(columns, MAX_COLUMNS) }
}

const MAX_COLUMNS = 256

/** Returns the number of a row as people see it: that of `B7` or `Buy!B7`. */
function numberOf(cells: ReadonlyMap<number, SourceText>): number {
  const [first] = cells.values()
  return Number(/(?<!\d)(\d+)$/.exec(first?.at ?? '')?.[1] ?? 0)
}

/** Returns `A` for 0, `AA` for 26. */
export function columnName(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26)
}

/**
 * Returns the texts of the pages that values were read from. A cell of a sheet has its own name. On a page all texts have one, so it is the row
 * that has most of the words of the values.
 */
export function markedTexts(pages: readonly SourcePage[], marks: readonly Mark[]): ReadonlySet<SourceText> {
  const marked = new Set<SourceText>()
  for (const { layout, texts } of pages) {
    const own = marks.filter(({ at }) => texts.some((text) => text.at === at))
    if (own.length === 0) continue
    if (layout === 'grid') for (const text of texts.filter(({ at }) => own.some((mark) => mark.at === at))) marked.add(text)
    else for (const text of rowWithMost(texts, own)) marked.add(text)
  }
  return marked
}

function rowWithMost(texts: readonly SourceText[], marks: readonly Mark[]): SourceText[] {
  const reads = new Set(marks.map(({ read }) => plain(read)).filter((read) => read.length >= 2))
  const hits = texts.filter(({ text }) => reads.has(plain(text)))
  const scored = hits.map((hit) => {
    const row = texts.filter(({ y, size }) => Math.abs(y - hit.y) <= size / 2)
    return { row, score: new Set(row.map(({ text }) => plain(text)).filter((text) => reads.has(text))).size }
  })
  const max = Math.max(0, ...scored.map(({ score }) => score))
  return scored.find(({ score }) => score === max)?.row ?? []
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[\s$,:]+/g, '')
}

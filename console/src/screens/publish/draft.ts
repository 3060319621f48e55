import type { CellEdit, EditRow } from '../../ui/EditGrid.tsx'
import type { PublishColumn } from './cells.ts'
import type { HeadField } from './kinds.ts'

/** The rows that somebody is about to publish. */
export interface PublishDraft {
  readonly head: EditRow
  readonly rows: readonly EditRow[]
  /** Increases with each change, so that a check of one draft is not taken for a check of another. */
  readonly edit: number
}

export const EMPTY_DRAFT: PublishDraft = { head: {}, rows: [], edit: 0 }
export const MAX_ROWS = 10_000

export function isFilled(row: EditRow): boolean {
  return Object.values(row).some((text) => text !== '')
}

export function withHead(draft: PublishDraft, id: string, text: string): PublishDraft {
  return { ...draft, head: { ...draft.head, [id]: text }, edit: draft.edit + 1 }
}

export function withRows(draft: PublishDraft, rows: readonly EditRow[]): PublishDraft {
  return { ...draft, rows, edit: draft.edit + 1 }
}

export function withCells(draft: PublishDraft, edits: readonly CellEdit[]): PublishDraft {
  const rows = [...draft.rows]
  for (const { row, column, text } of edits) rows[row] = { ...rows[row], [column]: text }
  return withRows(draft, rows)
}

export function withRowAdded(draft: PublishDraft, index: number): PublishDraft {
  return withRows(draft, draft.rows.toSpliced(index, 0, {}))
}

export function withoutRows(draft: PublishDraft, indexes: readonly number[]): PublishDraft {
  const gone = new Set(indexes)
  return withRows(
    draft,
    draft.rows.filter((_, index) => !gone.has(index)),
  )
}

interface Sheet {
  readonly columns: readonly PublishColumn[]
  readonly head: readonly HeadField[]
}

/** Where a paste begins. `rowAt` maps each pasted row to a row of the draft, or to a new row at the end. */
export interface PasteTarget {
  readonly rowAt: (offset: number) => number
  readonly column: number
}

export interface Pasted {
  readonly draft: PublishDraft
  readonly count: number
  /** Names in the header that match no column. */
  readonly unknown: readonly string[]
}

/** Pastes cells as spreadsheets do. Under a header, cells go to the named columns, and a head field takes its value from the first row. */
export function pasted(draft: PublishDraft, sheet: Sheet, at: PasteTarget, cells: readonly (readonly string[])[]): Pasted {
  const [first = [], ...below] = cells
  const hasHeader = isHeader(sheet, first)
  const targets = hasHeader ? first.map((name) => named(sheet.columns, name)?.id) : sheet.columns.slice(at.column).map(({ id }) => id)
  const body = hasHeader ? below : cells
  const rows = [...draft.rows]
  for (const [offset, row] of body.entries()) {
    const index = at.rowAt(offset)
    const texts = row.flatMap((text, place) => (targets[place] === undefined ? [] : [[targets[place], text]]))
    rows[index] = { ...rows[index], ...Object.fromEntries(texts) }
  }
  const heads = hasHeader ? headOf(sheet, first, below[0] ?? []) : {}
  const unknown = hasHeader ? first.filter((name) => name !== '' && !named(sheet.columns, name) && !named(sheet.head, name)) : []
  return { draft: { ...withRows(draft, rows), head: { ...draft.head, ...heads } }, count: body.length, unknown }
}

export function isHeader({ columns, head }: Sheet, cells: readonly string[]): boolean {
  const known = cells.filter((name) => named(columns, name) !== undefined || named(head, name) !== undefined)
  return known.length >= 2 || (known.length === 1 && cells.length === 1)
}

function headOf({ head }: Sheet, names: readonly string[], row: readonly string[]): EditRow {
  return Object.fromEntries(
    names.flatMap((name, place) => {
      const field = named(head, name)
      return field && row[place] ? [[field.id, row[place]]] : []
    }),
  )
}

/** Finds the column that a header names, by its member, the last part of that, or its title, in any case. */
function named<Column extends { id: string; title: string }>(columns: readonly Column[], name: string): Column | undefined {
  const wanted = plainName(name)
  if (wanted === '') return undefined
  return (
    columns.find(({ id, title }) => plainName(id) === wanted || plainName(title) === wanted) ??
    columns.find(({ id }) => plainName(id.split('.').at(-1) ?? '') === wanted)
  )
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replaceAll(' ', '_')
}

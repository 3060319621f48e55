import type { DropFileType, Mapping } from '../../api/queries/drops.ts'
import { parseTable } from '../../ui/tables.ts'
import { OUR_COLUMNS } from './ourColumns.ts'

/** A mapping while it is made. */
export interface MappingDraft {
  readonly name: string
  readonly type: DropFileType
  /** The header of a file, and its first rows. */
  readonly headers: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Our column of each of theirs, by position; empty if it is left out. */
  readonly ours: readonly string[]
  readonly constants: readonly (readonly [ours: string, text: string])[]
  /** What a word of a file means. */
  readonly words: readonly (readonly [ours: string, theirs: string, means: string])[]
  readonly skipped: { readonly header: string; readonly texts: string }
  readonly date_order: '' | 'mdy' | 'dmy'
  readonly decimal: '' | 'point' | 'comma'
  readonly clock: '' | 'broadcast' | 'calendar'
}

export const NO_MAPPING: MappingDraft = {
  name: '',
  type: 'delivery_posts',
  headers: [],
  rows: [],
  ours: [],
  constants: [],
  words: [],
  skipped: { header: '', texts: '' },
  date_order: '',
  decimal: '',
  clock: '',
}

/** The rows that are shown of a file. */
const SHOWN = 5
/** A title or a report block stands above the header in some files. */
const LOOKED_AT = 21

/** Takes the first rows of a file, as a spreadsheet copies them or a csv has them; the widest of them is the header. */
export function withRows(draft: MappingDraft, text: string): MappingDraft {
  const table = parseTable(text, (cells) => cells.length > 1)
  const filled = (row: readonly string[]) => row.filter((cell) => cell !== '').length
  const max = Math.max(0, ...table.slice(0, LOOKED_AT).map(filled))
  const at = table.slice(0, LOOKED_AT).findIndex((row) => filled(row) === max)
  const headers = table[at] ?? []
  const ours = headers.map((header) => guessed(header, draft.type))
  // A column that two headings look like is left to a person.
  const once = ours.map((one) => (ours.filter((other) => other === one).length > 1 ? '' : one))
  return { ...draft, headers, rows: table.slice(at + 1, at + 1 + SHOWN), ours: once }
}

export function withType(draft: MappingDraft, type: DropFileType): MappingDraft {
  return { ...draft, type, ours: draft.headers.map((header) => guessed(header, type)) }
}

/** Returns our column that has the words of a heading. */
function guessed(header: string, type: DropFileType): string {
  const plain = header
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
  return OUR_COLUMNS[type].find((column) => column === plain || column.replaceAll('.', '_') === plain) ?? ''
}

/** Returns the mapping that is sent. */
export function mappingOf(draft: MappingDraft): Mapping {
  const { type, headers, ours, constants, words, skipped, date_order, decimal, clock } = draft
  const columns = Object.fromEntries(ours.flatMap((one, at) => (one === '' ? [] : [[one, headers[at] ?? '']])))
  const values: Record<string, Record<string, string>> = {}
  for (const [one, theirs, means] of words) if (one !== '') values[one] = { ...values[one], [theirs]: means }
  const set = constants.filter(([one, text]) => one !== '' && text !== '')
  const texts = skipped.texts.split(',').map((text) => text.trim())
  return {
    type,
    headers: headers.filter((header) => header !== ''),
    columns,
    ...(set.length > 0 && { constants: Object.fromEntries(set) }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(skipped.header !== '' && skipped.texts.trim() !== '' && { skip: [{ column: skipped.header, in: texts }] }),
    ...(date_order !== '' && { date_order }),
    ...(decimal !== '' && { decimal }),
    ...(clock !== '' && { clock }),
  }
}

/** Returns the draft of a mapping that is there, without rows of a file. */
export function draftOf(name: string, mapping: Mapping): MappingDraft {
  const { type, headers, columns, constants = {}, values = {}, skip = [], date_order = '', decimal = '', clock = '' } = mapping
  const theirs = new Map(Object.entries(columns).map(([one, header]) => [header.trim().toLowerCase(), one]))
  return {
    ...{ name, type, headers, rows: [], date_order, decimal, clock },
    ours: headers.map((header) => theirs.get(header.trim().toLowerCase()) ?? ''),
    constants: Object.entries(constants),
    words: Object.entries(values).flatMap(([one, words]) => Object.entries(words).map(([word, means]) => [one, word, means] as const)),
    skipped: { header: skip[0]?.column ?? '', texts: skip[0]?.in.join(', ') ?? '' },
  }
}

/** Gives things that have no names of their own ids by their places. */
export function numbered<Of>(things: readonly Of[]): { id: string; at: number; of: Of }[] {
  return things.map((of, at) => ({ id: `n${at}`, at, of }))
}

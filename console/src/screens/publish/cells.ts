import type { EditColumn, EditRow } from '../../ui/EditGrid.tsx'

/** How the text of a cell is converted for the API. */
export type CellKind = 'text' | 'number' | 'list' | 'numbers' | 'windows' | 'occurrences' | 'codes' | 'json'

/** A member of an entry, identified by the dotted name that the API's faults use. */
export interface PublishColumn extends EditColumn {
  readonly kind: CellKind
}

/** Builds an entry for the API. A text that cannot be parsed is sent unchanged, so that the API says what is wrong. */
export function entryOf(columns: readonly PublishColumn[], row: EditRow): Record<string, unknown> {
  const entry: Record<string, unknown> = {}
  for (const { id, kind } of columns) {
    const text = row[id]?.trim() ?? ''
    if (text !== '') put(entry, id.split('.'), READS[kind](text) ?? text)
  }
  return entry
}

export function rowOf(columns: readonly PublishColumn[], entry: object): EditRow {
  const row: Record<string, string> = {}
  for (const { id, kind } of columns) {
    const value = id.split('.').reduce<unknown>((within, key) => (within as Record<string, unknown> | undefined)?.[key], entry)
    const text = value === undefined || value === null ? '' : WRITES[kind](value)
    if (text !== '') row[id] = text
  }
  return row
}

/** Returns the column that shows a fault: the column of its member, or the nearest one that contains it. */
export function columnOfField(columns: readonly PublishColumn[], field: string): string {
  const holding = columns.filter(({ id }) => field === id || field.startsWith(`${id}.`) || id.startsWith(`${field}.`))
  const near = holding.length > 0 ? holding : columns.filter(({ id }) => id.split('.')[0] === field.split('.')[0])
  return (near.toSorted((a, b) => b.id.length - a.id.length)[0] ?? columns[0])?.id ?? ''
}

function put(entry: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path
  if (rest.length === 0) {
    entry[key] = value
    return
  }
  entry[key] ??= {}
  put(entry[key] as Record<string, unknown>, rest, value)
}

type Read = (text: string) => unknown

const READS: Readonly<Record<CellKind, Read>> = {
  text: (text) => text,
  number: numberOf,
  list: listOf,
  numbers: (text) => listOf(text).map((item) => numberOf(item) ?? item),
  windows: (text) => each(text, windowOf),
  occurrences: (text) => each(text, occurrenceOf),
  codes: codesOf,
  json: jsonOf,
}

/** Also reads `5,400.00` and `$5,400`, since spreadsheets show numbers like this. */
function numberOf(text: string): number | undefined {
  const plain = /^\$?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  const value = Number(plain.replace(/^\$/, ''))
  return Number.isFinite(value) ? value : undefined
}

function listOf(text: string): string[] {
  return text.split('|').map((item) => item.trim())
}

function each<Item>(text: string, read: (item: string) => Item | undefined): Item[] | undefined {
  const items = text.split(';').map((item) => read(item.trim()))
  return items.every((item) => item !== undefined) ? items : undefined
}

/** `Mon|Tue 19:00-22:00` */
function windowOf(text: string) {
  const [days = '', times = ''] = text.split(' ')
  const [start, end] = times.split('-')
  return start && end ? { days: listOf(days), start, end } : undefined
}

/** `2027-02-08 20:00-22:00` */
function occurrenceOf(text: string) {
  const [date = '', times = ''] = text.split(' ')
  const [start, end] = times.split('-')
  return start && end ? { date, start, end } : undefined
}

/** `P18-49=120000|HH=90000` */
function codesOf(text: string) {
  const pairs = listOf(text).map((item) => item.split('='))
  if (pairs.some((pair) => pair.length !== 2)) return undefined
  return Object.fromEntries(pairs.map(([code = '', count = '']) => [code, { per_spot: numberOf(count) ?? count }]))
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Times {
  readonly start: string
  readonly end: string
}

const WRITES: Readonly<Record<CellKind, (value: unknown) => string>> = {
  text: String,
  number: String,
  list: (value) => (value as unknown[]).join('|'),
  numbers: (value) => (value as unknown[]).join('|'),
  windows: (value) =>
    (value as (Times & { days: string[] })[]).map(({ days, start, end }) => `${days.join('|')} ${start}-${end}`).join('; '),
  occurrences: (value) => (value as (Times & { date: string })[]).map(({ date, start, end }) => `${date} ${start}-${end}`).join('; '),
  codes: (value) =>
    Object.entries(value as Record<string, { per_spot?: number } | undefined>)
      .flatMap(([code, count]) => (count?.per_spot === undefined ? [] : [`${code}=${count.per_spot}`]))
      .join('|'),
  json: (value) => JSON.stringify(value),
}

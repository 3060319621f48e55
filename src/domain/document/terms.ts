import type { Cell, Row } from './cells.ts'
import { isList, named, type Role, wordsOf } from './headings/vocabulary.ts'
import { readMarketClass, wordOf } from './readValue.ts'
import type { Region } from './regions.ts'
import type { ByRole, ReadRow } from './rowKinds.ts'

/** A text of a document with its cell or page. */
export interface Value {
  readonly read: string
  readonly at: string
}

/** What a row may state of its price and its network, beside its airtime, its units and its rate. */
export type Term =
  | 'network'
  | 'spot_length'
  | 'impressions_goal'
  | 'cpm'
  | 'buy_type'
  | 'market_class'
  | 'advertiser_class'
  | 'clearance_tier'
export type Terms = Readonly<Partial<Record<Term, Value>>>

/** What may be wrong about a line, with the members of a resolution that settle it; without any, all of it is in doubt. */
export interface Doubt {
  readonly message: string
  readonly fields?: readonly string[] | undefined
}

const COLUMNS: readonly (readonly [Term, Role])[] = [
  ['network', 'network'],
  ['impressions_goal', 'impressions'],
  ['cpm', 'cpm'],
  ['buy_type', 'kind'],
  ['market_class', 'marketClass'],
  ['market_class', 'market'],
  ['advertiser_class', 'advertiserClass'],
  ['clearance_tier', 'tier'],
]
/** The terms that each row of a list has to state where a column is headed by them. */
const NEEDED: readonly Term[] = ['network', 'buy_type', 'market_class', 'advertiser_class', 'clearance_tier']

/** Returns the terms of a row by its columns, else by what is stated once above its table, and what is doubtful about them. */
export function termsOf(row: ReadRow, region: Region, roles: ByRole, above: Terms): { terms: Terms; doubts: Doubt[] } {
  const terms: Partial<Record<Term, Value>> = { ...above }
  const doubts: Doubt[] = []
  for (const [term, role] of COLUMNS) {
    const columns = roles.of(role).filter((at) => isOfTerm(term, role, { row, region, at }))
    const cells = columns.flatMap((at) => row.cells.get(at) ?? [])
    const [cell] = cells
    const field = term === 'network' ? 'product_id' : term
    if (cell !== undefined) terms[term] = { read: term === 'impressions_goal' ? scaled(cell, region, columns[0]) : cell.text, at: cell.at }
    const other = cells.find(({ text }) => text !== cell?.text)
    if (other !== undefined && NEEDED.includes(term))
      doubts.push({ fields: [field], message: `Two columns state it: "${cell?.text}" and "${other.text}".` })
    if (columns.length > 0 && terms[term] === undefined && NEEDED.includes(term))
      doubts.push({ fields: [field], message: `The line has nothing under ${region.headings[columns[0] as number]?.text}.` })
  }
  return { terms, doubts: isList(region) ? doubts : [] }
}

/** A column of types may be of kinds of spots, and one of markets of places: only words of a price make them terms of one. */
function isOfTerm(term: Term, role: Role, { row, region, at }: { row: ReadRow; region: Region; at: number }): boolean {
  const text = row.cells.get(at)?.text ?? ''
  if (role === 'market') return readMarketClass(text) !== undefined
  if (term === 'buy_type') return /\b(buy|buying|commitment|inventory)\b/.test(wordsOf(region.headings[at]?.text ?? '')) || isList(region)
  return true
}

/** Expands a count in thousands. */
function scaled({ text }: Cell, { headings }: Region, at: number | undefined): string {
  const isThousands = /000|\bthousands?\b/i.test(headings[at ?? -1]?.text ?? '')
  return isThousands && /^\d+$/.test(text.replace(/,/g, '')) ? `${text.replace(/,/g, '')}000` : text
}

/** What a row above a table may state once for all of its lines: `Spot length: :30`, or a label with its value in the next cell. */
const STATED: Partial<Record<Role, Term>> = {
  network: 'network',
  length: 'spot_length',
  kind: 'buy_type',
  marketClass: 'market_class',
  advertiserClass: 'advertiser_class',
  tier: 'clearance_tier',
}

/** Returns the terms that stand in rows above a table. */
export function statedAbove(rows: readonly Row[]): Terms {
  const stated: Partial<Record<Term, Value>> = {}
  for (const { cells } of rows)
    cells.forEach((cell, at) => {
      const [label, own] = labelled(cell.text)
      const term = STATED[named(label)?.role ?? 'ignored']
      const next = cells[at + 1]
      const value = own !== '' ? { read: own, at: cell.at } : next && { read: next.text, at: next.at }
      const isLabel = cell.text.includes(':') || (next !== undefined && named(next.text) === undefined)
      if (term !== undefined && isLabel && value !== undefined && (term !== 'buy_type' || wordOf(label) !== 'type')) stated[term] ??= value
    })
  return stated
}

/** Splits `Spot length: :30` into `Spot length` and `:30`. */
function labelled(text: string): [label: string, own: string] {
  const colon = text.indexOf(':')
  return colon < 1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1).trim()]
}

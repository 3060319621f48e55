import { type Cell, overlaps, type Row } from '../cells.ts'
import { amountOf, isMoney } from '../values/amounts.ts'
import { composed, type Heading, isDatePart, isHeadingWord, tokensOf, weekdayColumns } from './compose.ts'
import { dateIn } from './headingDate.ts'
import { datedHeadings, namesWhole } from './parts.ts'
import { type Named, named, type Role, wordsOf } from './vocabulary.ts'

export type { Heading } from './compose.ts'

/** A block of heading rows. */
export interface HeadingBlock {
  readonly headings: readonly Heading[]
  /** The positions of its rows: the first one, and the one after the last. */
  readonly from: number
  readonly to: number
  /** `lines`: of rows that order; `subrows`: of the weeks below a line; `dates`: new dates below the headings above; `summary`: only totals. */
  readonly kind: 'lines' | 'subrows' | 'dates' | 'summary' | 'airings'
}

/** Finds the heading blocks of a sheet: at each place the one whose rows make the most of known headings. */
export function headingBlocks(rows: readonly Row[], layout: 'grid' | 'page'): HeadingBlock[] {
  const blocks: HeadingBlock[] = []
  for (let at = 0; at < rows.length; at += 1) {
    const best = bestAt(rows, at, layout)
    if (best === undefined) continue
    // A block that begins one or two rows later may be the better one.
    const later = [1, 2].flatMap((by) => (at + by < best.block.to ? (bestAt(rows, at + by, layout) ?? []) : []))
    if (later.some(({ score }) => score > best.score)) continue
    blocks.push(best.block)
    at = best.block.to - 1
  }
  return blocks
}

/** The most rows of one heading block. */
const BLOCK_ROWS = 4

function bestAt(rows: readonly Row[], from: number, layout: 'grid' | 'page'): { block: HeadingBlock; score: number } | undefined {
  let best: { block: HeadingBlock; score: number } | undefined
  const block: Row[] = []
  for (let to = from + 1; to <= Math.min(from + BLOCK_ROWS, rows.length); to += 1) {
    const row = rows[to - 1] as Row
    if (row.cells.some(({ text }) => isMoney(text) && amountOf(text) !== undefined) || !isNear(rows, to - 1, from, layout)) break
    // The headings of the weeks below a line are no part of the headings above.
    if (to > from + 1 && kindOf(composed([tokensOf(row, layout)])) === 'subrows') break
    block.push(row)
    const headings = withDatedUnits(asList(composed(blockTokens(block, layout))))
    const kind = kindOf(headings)
    if (kind === undefined) continue
    const score = scoreOf(headings) - (to - from) * 0.6
    if (best === undefined || score > best.score) best = { block: { headings, from, to, kind }, score }
  }
  return best
}

/** In a list, what names nothing else may be what is bought (`Item`), and its goal of impressions stands in place of units. */
function asList(headings: readonly Heading[]): Heading[] {
  const has = (some: readonly Role[]) => headings.some(({ named }) => named !== undefined && some.includes(named.role))
  const isCounted = has(['units', 'total', 'perWeek']) || datedHeadings(headings).length + weekdayColumns(headings).length > 0
  return headings.map((heading) => {
    const words = wordsOf(heading.text).replace(/ ?\b0{3}s?\b/g, '')
    if (!has(DESCRIBING) && words === 'item') return { ...heading, named: { role: 'product' } }
    if (!isCounted && has(['cpm']) && /^(imps?|impressions?)$/.test(words)) return { ...heading, named: { role: 'impressions' } }
    return heading
  })
}

/**
 * Below a date that stands over several columns, the one of units is the date's; the money or the audience beside it says nothing that the units
 * and the price of the row do not. The date may stand over the middle of its columns, and so over one of them alone.
 */
function withDatedUnits(headings: readonly Heading[]): Heading[] {
  const own = headings.map(belowDate)
  const isUnits = (at: number) => own[at]?.named?.role === 'units'
  const isAside = (at: number) => ASIDE.includes(own[at]?.named?.role ?? 'row')
  const dateAt = (at: number) => own[at]?.date ?? (isAside(at + 1) ? own[at + 1]?.date : undefined)
  const units = headings.flatMap((_, at) => (isUnits(at) && dateAt(at) !== undefined ? [at] : []))
  if (units.length < 2 || new Set(units.map(dateAt)).size < units.length) return [...headings]
  return headings.map((heading, at): Heading => {
    const date = dateAt(at)
    if (units.includes(at) && date !== undefined) return { ...heading, tokens: [date], text: date.text, named: undefined }
    return isAside(at) && (own[at]?.date !== undefined || units.includes(at - 1)) ? { ...heading, named: { role: 'ignored' } } : heading
  })
}

/** What may stand beside the units of a week. */
const ASIDE: readonly Role[] = ['cost', 'money', 'rate', 'total', 'impressions', 'ignored']

/** Returns the date above a heading, and what the words below it mean. */
function belowDate({ tokens, groups, named: whole }: Heading): { date: Cell | undefined; named: Named | undefined } {
  const isDate = ({ text }: Cell) => dateIn(text) !== undefined
  const date = groups.find(isDate) ?? (tokens.length > 1 ? tokens.find(isDate) : undefined)
  const words = tokens.filter((token) => token !== date).map(({ text }) => text)
  return { date, named: date === undefined ? whole : named(words.join(' ')) }
}

/** The texts of a block; one that stands over several columns, such as `# of spots per week`, is not cut into headings. */
function blockTokens(rows: readonly Row[], layout: 'grid' | 'page'): Cell[][] {
  const tokens = rows.map((row) => tokensOf(row, layout))
  if (layout === 'grid') return tokens
  const base = tokens.reduce((max, row) => (row.length > max.length ? row : max), [] as Cell[])
  const isGroup = (cell: Cell) =>
    base.filter((token) => overlaps(token, cell, 0.3)).length > 1 && !cell.words.every(({ text }) => isDatePart(text))
  return rows.map((row, at) =>
    tokens[at] === base ? base : row.cells.flatMap((cell) => (isGroup(cell) ? [cell] : tokensOf({ ...row, cells: [cell] }, layout))),
  )
}

/** Rows of one block stand close to each other. */
function isNear(rows: readonly Row[], at: number, from: number, layout: 'grid' | 'page'): boolean {
  if (at === from) return true
  const [above, row] = [rows[at - 1], rows[at]]
  if (above === undefined || row === undefined) return false
  const size = Math.max(...row.cells.map((cell) => cell.size), 1)
  return row.y - above.y <= (layout === 'grid' ? 1 : size * 3)
}

/** Columns that are understood count for a block, and so does each text that stands over another of its column; a column that is not counts against. */
function scoreOf(headings: readonly Heading[]): number {
  const dated = new Set(datedHeadings(headings))
  const weekdays = weekdayColumns(headings)
  return headings.reduce((score, heading, at) => {
    const stacked = heading.tokens.length > 1 ? heading.tokens.filter(({ text }) => isStacked(text, dated.has(at))).length * STACKED : 0
    // A month counts for less than the days that may stand below it.
    if (dated.has(at) && namesWhole(heading)) return score + 0.4
    if (dated.has(at) || weekdays.includes(at) || heading.named !== undefined) return score + 1 + stacked
    return score - (isDatePart(heading.text) ? 0 : 0.7)
  }, 0)
}

const STACKED = 0.25

function isStacked(text: string, isDated: boolean): boolean {
  return /^\d{1,2}$/.test(text) ? isDated : isHeadingWord(text) || /^[A-Za-z][A-Za-z./()# -]{1,24}$/.test(text)
}

const DESCRIBING: readonly Role[] = ['product', 'program', 'daypart', 'days', 'window', 'start']
const COUNTING: readonly Role[] = ['units', 'total', 'perWeek', 'impressions']
const PRICING: readonly Role[] = ['rate', 'cost', 'money', 'total', 'cpm']

/** Tells what the headings are of; undefined if they are no headings. */
export function kindOf(headings: readonly Heading[]): HeadingBlock['kind'] | undefined {
  const roles = headings.flatMap(({ named }) => named?.role ?? [])
  const dated = datedHeadings(headings).length
  const weekdays = weekdayColumns(headings).length
  const has = (some: readonly Role[]) => roles.some((role) => some.includes(role))
  const known = roles.length + dated + weekdays
  if (known < headings.length * 0.5) return undefined
  if (roles.filter((role) => role === 'clock').length > 0 && known >= 5) return 'airings'
  if (has(['startDate']) && has(['days']) && has(['perWeek']) && has(['rate']) && !has(['program', 'product', 'window', 'cost']))
    return 'subrows'
  const counts = has(COUNTING) || dated + weekdays > 0
  if (
    has(DESCRIBING) &&
    counts &&
    (dated + weekdays > 0 ? has(PRICING) || dated > 1 : has(['rate', 'money', 'cpm', 'product'])) &&
    known >= 3
  )
    return 'lines'
  if (has(DESCRIBING) && has(['rate']) && known >= 4) return 'lines'
  // The price of a unit may stand in the rows of the weeks below a line.
  if (has(DESCRIBING) && has(['startDate', 'dates']) && has(['units']) && has(['cost']) && has(['row', 'length']) && known >= 6)
    return 'lines'
  if (dated >= 2 && headings.length - dated <= dated * 0.3) return 'dates'
  const totals = roles.filter((role) => [...COUNTING, ...PRICING].includes(role)).length
  return totals >= 2 && !has(['row', 'length']) ? 'summary' : undefined
}

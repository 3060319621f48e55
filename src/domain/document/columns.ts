import type { Period } from '../../contract/scalars.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import { daysBetween, weekOf } from '../calendar.ts'
import { type DateContext, readPeriod } from './readPeriod.ts'
import { readAmount } from './readValue.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** A column of a buysheet. */
export type Field =
  | 'product'
  | 'network'
  | 'period'
  | 'start'
  | 'end'
  | 'spot_length'
  | 'units'
  | 'impressions_goal'
  | 'rate'
  | 'cpm'
  | 'buy_type'
  | 'market_class'
  | 'advertiser_class'
  | 'clearance_tier'
  | 'amount'
  | 'total_units'
  | 'total'

export interface Column {
  /** `week`: a column of a grid, whose cells are the units in its period. `other`: a heading of which nothing is read. */
  readonly field: Field | 'week' | 'other'
  readonly header: TableCell
  /** The period of a `week` column. */
  readonly period?: Period
  /** The grain that a single date in a period column means. */
  readonly grain?: Grain
  /** The factor of the column's values: 1000 for impressions in thousands. */
  readonly scale?: number
  /** The heading is not understood but names a date, as two headings do that run together: its cells may be units. */
  readonly isDated?: boolean
}

/** Returns the columns of a header of one row, or of two rows whose upper one groups the lower. Undefined if the row is not a header. */
export function headerAt(rows: readonly TableRow[], index: number, dates: DateContext): { columns: Column[]; rows: 1 | 2 } | undefined {
  if (!namesProducts(rows[index]) && !namesProducts(rows[index + 1])) return undefined
  const upper = rows[index] ?? []
  const both = stacked(upper, rows[index + 1] ?? [], dates)
  const one = columnsOf(upper, dates)
  const two = columnsOf(both, dates)
  const below = columnsOf(rows[index + 1] ?? [], dates)
  // What stands right above a header that is whole is a statement, not a part of it; a row with numbers that are no days is a line.
  const isOfTwo = two.length > Math.max(one.length, below.length) && !both.some(({ text }) => readAmount(text) !== undefined)
  const best = isOfTwo ? ({ columns: two, row: both, rows: 2 } as const) : ({ columns: one, row: upper, rows: 1 } as const)
  return isHeader(best.columns)
    ? { columns: [...best.columns, ...furtherColumns(best.row, best.columns, dates)], rows: best.rows }
    : undefined
}

/** Returns the columns of the headings that are not understood, or that name a field again: their cells belong to them and to no other column. */
function furtherColumns(row: TableRow, columns: readonly Column[], dates: DateContext): Column[] {
  const isGrid = isGridOf(columns)
  const isDated = ({ text }: TableCell) => isGrid && text.split(/\s+/).some((word) => readPeriod(word, dates) !== undefined)
  return row
    .filter((cell) => !columns.some(({ header }) => header === cell))
    .map((header) => {
      const again = isVague(header) ? undefined : fieldOf(header.text)
      return again === undefined || NAMING.includes(again.field)
        ? { field: 'other', header, isDated: isDated(header) }
        : { ...again, header }
    })
}

/** The fields of which the first heading counts: others only describe the product. */
const NAMING: readonly Column['field'][] = ['product', 'network']

/** Returns true if a row may belong to a header. The test is cheap, since it runs on every row. */
function namesProducts(row: TableRow = []): boolean {
  return row.some(({ text }) => {
    if (text.length > HEADING_CHARACTERS) return false
    const said = text.toLowerCase()
    return PRODUCT_WORDS.some((word) => said.includes(word))
  })
}

/** Returns true for a header, which names the product and at least two more columns. */
function isHeader(columns: readonly Column[]): boolean {
  const fields = new Set(columns.map(({ field }) => field))
  return fields.has('product') && fields.size >= 3
}

/** Returns the column of a cell: the one that covers its left edge in a grid, or the best aligned one on a page. */
export function columnOf(cell: TableCell, columns: readonly Column[], layout: Table['layout']): Column | undefined {
  if (layout === 'grid') return columns.find(({ header }) => header.left <= cell.left && cell.left < header.right)
  let nearest: Column | undefined
  let distance = Number.POSITIVE_INFINITY
  for (const column of columns) {
    const apart = misalignment(cell, column.header)
    if (apart >= distance) continue
    nearest = column
    distance = apart
  }
  return distance <= ALIGNED ? nearest : undefined
}

/** Returns true if weeks are columns whose cells are units. */
export function isGridOf(columns: readonly Column[]): boolean {
  return columns.some(({ field }) => field === 'week')
}

/** Returns the smallest difference, in points, between left edges, right edges or centers. */
function misalignment(a: TableCell, b: TableCell): number {
  return Math.min(Math.abs(a.left - b.left), Math.abs(a.right - b.right), Math.abs(a.left + a.right - b.left - b.right) / 2)
}

const ALIGNED = 36

/** Returns the field that a heading names, ignoring parentheses, currencies and punctuation. */
export function fieldOf(text: string): Pick<Column, 'field' | 'grain' | 'scale'> | undefined {
  if (text.length > HEADING_CHARACTERS) return undefined
  const scale = /\(\s*0{3}s?\s*\)|\bthousands?\b|'?\b000s?\b/i.test(text) ? { scale: 1000 } : {}
  const named = HEADINGS.get(headingOf(text))
  return named && { ...named, ...(named.field === 'impressions_goal' ? scale : {}) }
}

/** The most characters of a heading, including text in parentheses. */
const HEADING_CHARACTERS = 80

function headingOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\([^()]*\)/g, ' ')
    .replace(/#/g, ' number ')
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(/\b(usd|eur|gbp|cad|aud|000s?)\b/g, ' ')
    .trim()
    .replace(/ +/g, ' ')
}

const named = (field: Field, words: string, grain?: Grain) =>
  words.split(', ').map((word) => [word, { field, ...(grain === undefined ? {} : { grain }) }] as const)

const HEADINGS: ReadonlyMap<string, { field: Field; grain?: Grain }> = new Map([
  ...named(
    'product',
    'product, product id, product code, product name, program, programme, program name, daypart, daypart program, program daypart',
  ),
  ...named('product', 'selling title, title, inventory, placement, show, item, avail, avail name, unit name'),
  ...named('network', 'network, station, outlet, channel, net, call letters'),
  ...named('period', 'period, dates, flight, flight dates, air dates'),
  ...named(
    'period',
    'week, weeks, wk, week of, wk of, week beginning, week commencing, week starting, w c, wc, flight week, air week, broadcast week',
    'week',
  ),
  ...named('period', 'month, broadcast month, air month', 'month'),
  ...named('period', 'date, day, air date, airdate, air day', 'day'),
  ...named('start', 'start, start date, flight start, from, begin, begins'),
  ...named('end', 'end, end date, flight end, to, thru, through, ends'),
  ...named('spot_length', 'length, spot length, len, sec, secs, seconds, duration, unit length, copy length, spot len'),
  ...named(
    'units',
    'units, unit, spots, qty, quantity, number spots, number of spots, no of spots, number units, number of units, spots ordered',
  ),
  ...named('units', 'units ordered, ordered, insertions, number'),
  ...named('impressions_goal', 'impressions, imps, impression goal, impressions goal, goal impressions, imp'),
  ...named(
    'rate',
    'rate, unit rate, unit cost, unit price, price, cost per spot, cost per unit, gross rate, rate per spot, spot rate, spot cost',
  ),
  ...named('rate', 'gross unit rate, gross unit cost, cost spot, rate spot, price per spot'),
  ...named('cpm', 'cpm, gross cpm, cpm rate, cost per thousand'),
  ...named('buy_type', 'buy type, buying type, type, commitment, inventory type, type of buy'),
  ...named('market_class', 'market class, rate class, class, market'),
  ...named('advertiser_class', 'advertiser class, adv class, advertiser category, category'),
  ...named('clearance_tier', 'tier, clearance tier, clearance, priority'),
  ...named(
    'amount',
    'amount, gross, gross cost, total cost, total gross, gross total, line total, extended, extended cost, extension, cost',
  ),
  ...named('amount', 'total amount, gross amount, line gross, total dollars, investment'),
  ...named('total_units', 'total units, total spots, ttl units, ttl spots, spots total, units total'),
  ...named('total', 'total, totals, ttl'),
])

/** The first word of each product heading. */
const PRODUCT_WORDS = [
  ...new Set([...HEADINGS].flatMap(([heading, { field }]) => (field === 'product' ? (heading.split(' ')[0] ?? '') : []))),
]

/** Returns the recognized columns of a row, each field once: a second `Rate` is ambiguous. Two or more weeks make a grid. */
function columnsOf(row: TableRow, dates: DateContext): Column[] {
  const columns: Column[] = []
  // If a program is named too, the daypart only says when it airs; a number or an item beside units or a product numbers the lines.
  for (const header of [...row].sort((a, b) => Number(isVague(a)) - Number(isVague(b)))) {
    const known = fieldOf(header.text)
    if (known !== undefined && !columns.some(({ field }) => field === known.field)) columns.push({ ...known, header })
  }
  const periods = row.flatMap((header) => {
    const read = fieldOf(header.text) === undefined ? readPeriod(header.text, dates) : undefined
    return read === undefined ? [] : [{ header, read }]
  })
  if (periods.length < 2 && columns.some(({ field }) => field === 'units')) return columns
  return [...columns, ...gridColumns(periods)]
}

function isVague({ text }: TableCell): boolean {
  return text.length <= HEADING_CHARACTERS && VAGUE.includes(headingOf(text))
}

const VAGUE = ['daypart', 'number', 'item']

/** Returns the columns of a grid. Dates at least a week apart mean weeks; consecutive dates mean days. */
function gridColumns(periods: readonly { header: TableCell; read: Period }[]): Column[] {
  const days = periods.flatMap(({ read }) => (read.grain === 'day' ? [read.start] : [])).sort()
  const daily = days.some((date, index) => index > 0 && daysBetween(days[index - 1] as string, date) < 7)
  return periods.map(({ header, read }) => ({
    field: 'week',
    header,
    period: read.grain === 'day' && !daily ? { grain: 'week', start: weekOf(read.start) } : read,
  }))
}

/**
 * Merges a header of two rows into one. A cell below a group is read together with the group's name, or else alone; a cell with nothing
 * below it names its column. A month is written once above its days, over the first or over all of them.
 */
function stacked(upper: TableRow, lower: TableRow, dates: DateContext): TableRow {
  const over = (cell: TableCell) => upper.find(({ left, right }) => left < cell.right && cell.left < right)
  const below = lower.map((cell) => {
    const group = over(cell)
    if (group !== undefined && group.at === cell.at && group.text === cell.text) return cell
    const day = dayOf(cell, group ?? upper.findLast(({ left }) => left < cell.left), dates)
    const together = day ?? `${group?.text ?? ''} ${cell.text}`
    return day === undefined && fieldOf(together) === undefined ? cell : { ...cell, text: together }
  })
  const alone = upper.filter((cell) => !lower.some(({ left, right }) => left < cell.right && cell.left < right))
  return [...alone, ...below].sort((a, b) => a.left - b.left)
}

/** Returns `June 3, 2030` for `3` below `June 2030`. */
function dayOf({ text: day }: TableCell, month: TableCell | undefined, dates: DateContext): string | undefined {
  if (month === undefined || !/^\d{1,2}$/.test(day) || readPeriod(month.text, dates)?.grain !== 'month') return undefined
  const [, name, year] = /^([a-z]+)\.?\W*(\d{4})?$/i.exec(month.text) ?? []
  return name === undefined ? undefined : `${name} ${day}${year === undefined ? '' : `, ${year}`}`
}

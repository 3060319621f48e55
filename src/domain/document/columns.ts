import type { Period } from '../../contract/scalars.ts'
import type { Grain } from '../../contract/vocabulary.ts'
import { daysBetween, weekOf } from '../calendar.ts'
import { type Anchor, readPeriod } from './readPeriod.ts'
import type { Table, TableCell, TableRow } from './table.ts'

/** What a buysheet says of a line. */
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
  /** `week`: a column of a grid, its cells the units of its period. */
  readonly field: Field | 'week'
  readonly header: TableCell
  /** The period of a `week` column. */
  readonly period?: Period
  /** What a lone date in a period column stands for. */
  readonly grain?: Grain
  /** How many one of the column's units are: 1000 for impressions in thousands. */
  readonly scale?: number
}

/** The columns that a header row, or two rows of which the upper one groups, gives a table; undefined when it is no header. */
export function headerAt(rows: readonly TableRow[], index: number, anchor: Anchor): { columns: Column[]; rows: 1 | 2 } | undefined {
  if (!namesProducts(rows[index]) && !namesProducts(rows[index + 1])) return undefined
  const one = columnsOf(rows[index] ?? [], anchor)
  const two = columnsOf(stacked(rows[index] ?? [], rows[index + 1] ?? [], anchor), anchor)
  const below = columnsOf(rows[index + 1] ?? [], anchor)
  const best =
    two.length > one.length && two.length >= below.length ? ({ columns: two, rows: 2 } as const) : ({ columns: one, rows: 1 } as const)
  return isHeader(best.columns) ? best : undefined
}

/** Whether a row may be the header of products, or a part of it: a look at each of many rows that costs little. */
function namesProducts(row: TableRow = []): boolean {
  return row.some(({ text }) => {
    if (text.length > HEADING_CHARACTERS) return false
    const said = text.toLowerCase()
    return PRODUCT_WORDS.some((word) => said.includes(word))
  })
}

/** A buysheet names what is bought, and at least two more things about it. */
function isHeader(columns: readonly Column[]): boolean {
  const fields = new Set(columns.map(({ field }) => field))
  return fields.has('product') && fields.size >= 3
}

/** The column that a cell of a row belongs to: the one that covers it in a grid, the one that it is aligned with on a page. */
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

/** Points by which left edges, right edges or middles differ, whichever does least. */
function misalignment(a: TableCell, b: TableCell): number {
  return Math.min(Math.abs(a.left - b.left), Math.abs(a.right - b.right), Math.abs(a.left + a.right - b.left - b.right) / 2)
}

const ALIGNED = 36

/** What a heading names, without what stands in parentheses, currencies and marks. */
export function fieldOf(text: string): Pick<Column, 'field' | 'grain' | 'scale'> | undefined {
  if (text.length > HEADING_CHARACTERS) return undefined
  const scale = /\(\s*0{3}s?\s*\)|\bthousands?\b|'?\b000s?\b/i.test(text) ? { scale: 1000 } : {}
  const named = HEADINGS.get(headingOf(text))
  return named && { ...named, ...(named.field === 'impressions_goal' ? scale : {}) }
}

/** With what stands in parentheses. */
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

/** The first word of each heading of products. */
const PRODUCT_WORDS = [
  ...new Set([...HEADINGS].flatMap(([heading, { field }]) => (field === 'product' ? (heading.split(' ')[0] ?? '') : []))),
]

/** The recognised columns of a row, each field once: a second `Rate` is not told from the first. Two weeks or more make a grid. */
function columnsOf(row: TableRow, anchor: Anchor): Column[] {
  const columns: Column[] = []
  // Beside a programme, the daypart says when it airs, and not what is bought.
  for (const header of [...row].sort((a, b) => Number(isDaypart(a)) - Number(isDaypart(b)))) {
    const known = fieldOf(header.text)
    if (known !== undefined && !columns.some(({ field }) => field === known.field)) columns.push({ ...known, header })
  }
  const periods = row.flatMap((header) => {
    const read = fieldOf(header.text) === undefined ? readPeriod(header.text, { anchor }) : undefined
    return read === undefined ? [] : [{ header, read }]
  })
  if (periods.length < 2 && columns.some(({ field }) => field === 'units')) return columns
  return [...columns, ...gridColumns(periods)]
}

function isDaypart({ text }: TableCell): boolean {
  return headingOf(text) === 'daypart'
}

/** Dates a week or more apart stand for their weeks; dates day by day for themselves. */
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
 * A header of two rows as one: what stands alone above covers its column, what stands below it is read together with it, or by itself. Days stand
 * under their month, which is written once, at the first of them or over all.
 */
function stacked(upper: TableRow, lower: TableRow, anchor: Anchor): TableRow {
  const over = (cell: TableCell) => upper.find(({ left, right }) => left < cell.right && cell.left < right)
  const below = lower.map((cell) => {
    const group = over(cell)
    if (group !== undefined && group.at === cell.at && group.text === cell.text) return cell
    const day = dayOf(cell, group ?? upper.findLast(({ left }) => left < cell.left), anchor)
    const together = day ?? `${group?.text ?? ''} ${cell.text}`
    return day === undefined && fieldOf(together) === undefined ? cell : { ...cell, text: together }
  })
  const alone = upper.filter((cell) => !lower.some(({ left, right }) => left < cell.right && cell.left < right))
  return [...alone, ...below].sort((a, b) => a.left - b.left)
}

/** `June 3, 2030` of `3` below `June 2030`. */
function dayOf({ text: day }: TableCell, month: TableCell | undefined, anchor: Anchor): string | undefined {
  if (month === undefined || !/^\d{1,2}$/.test(day) || readPeriod(month.text, { anchor })?.grain !== 'month') return undefined
  const [, name, year] = /^([a-z]+)\.?\W*(\d{4})?$/i.exec(month.text) ?? []
  return name === undefined ? undefined : `${name} ${day}${year === undefined ? '' : `, ${year}`}`
}

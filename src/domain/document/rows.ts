import type { Cell } from './cells.ts'
import { weekdayColumns } from './headings/compose.ts'
import type { Role } from './headings/vocabulary.ts'
import { isNumeric, type PlacedRow } from './page/bands.ts'
import type { Region } from './regions.ts'
import { airtimeOf, daysOf } from './values/airtime.ts'
import { amountOf, countOf, isMoney, secondsOf } from './values/amounts.ts'

/**
 * What a row of a table is. A `line` orders, also for nothing (`bonus`); a `fee` is money that is no airtime; a `total` sums rows above it; a
 * `canceled` row orders nothing any more; a `text` continues a row beside it or stands between rows; of an `unknown` row nobody can tell.
 */
export interface ReadRow extends PlacedRow {
  readonly kind: 'line' | 'fee' | 'total' | 'canceled' | 'text' | 'unknown'
  /** The words of the row outside of its numbers, days and window. */
  readonly label: string
  readonly isBonus: boolean
  /** The row says when it airs, or how long its spots are. */
  readonly describes: boolean
  /** For a `line`, the texts of wrapped rows with its own, by column. */
  readonly texts: ReadonlyMap<number, string>
  readonly at: string
  /** The rows of single weeks below a line. */
  readonly weeks: NonNullable<Region['subrows']>
}

/** The columns of a region by their role. */
export interface ByRole {
  of(role: Role): readonly number[]
  /** The columns of the weekdays of one week, Monday first; empty if there are none. */
  readonly weekdays: readonly number[]
}

export function columnsByRole({ headings, dates }: Pick<Region, 'headings' | 'dates'>): ByRole {
  const weekdays = weekdayColumns(headings)
  const roles = headings.map(({ named }, at) => (dates.has(at) ? 'date' : weekdays.includes(at) ? 'weekday' : named?.role))
  return { of: (role) => roles.flatMap((own, at) => (own === role ? [at] : [])), weekdays }
}

const DESCRIBING: readonly Role[] = ['days', 'window', 'start', 'end', 'length']
const TOTAL = /\b(sub-?totals?|totals?|tot|ttl|grand|sum)\b|\b(per|\/) ?week\b|\/week\b/i
const TOTAL_ONLY = /^\W*(paid|bonus(es)?|units|spots|paid units|bonus units)\W*$/i
const FEE = /\b(fee|fees|production|translation|talent|charges?|commission|discount|tax|agency comm|adjustment|credit)\b/i
const BONUS = /\b(bonus|bonuses|bns|free|added value|value added|no charge|n\/c|gratis)\b/i
const BONUS_CODE = /^(bo|av|ve|bns|va|nc|bonus)$/i
/** The foot of a page has its number. */
const PAGE = /\bpage:?\s+\d+\b/i
const CANCELED = /^(d|del|deleted?|cancel|cancell?ed|remove|removed|drop|dropped)$/i

/** Tells what each row of a region is; a text row is joined to the row that it continues. */
export function readRows(region: Region): ReadRow[] {
  const roles = columnsByRole(region)
  const firsts = region.rows.map((row): ReadRow => readRow(row, region, roles))
  return withWeeks(withContinuations(sumsTold(firsts, region), region), region)
}

function readRow(placed: PlacedRow, { headings, dates }: Region, roles: ByRole): ReadRow {
  const counting = [
    ...dates.keys(),
    ...roles.weekdays,
    ...roles.of('units'),
    ...roles.of('total'),
    ...roles.of('perWeek'),
    ...roles.of('impressions'),
  ]
  const pricing = [...roles.of('rate'), ...roles.of('cost'), ...roles.of('money'), ...roles.of('total'), ...roles.of('cpm')]
  const filled = (columns: readonly number[]) => columns.filter((at) => isStated(placed.cells.get(at)))
  const words = [...placed.loose, ...[...placed.cells].flatMap(([at, cell]) => (saysWords(cell, headings[at]?.named?.role) ? [cell] : []))]
  const label = words
    .sort((a, b) => a.left - b.left)
    .map(({ text }) => text)
    .join(' ')
  const texts = new Map([...placed.cells].map(([at, { text }]) => [at, text]))
  const at = placed.row.cells[0]?.at ?? ''
  const codes = placed.row.cells.map(({ text }) => text)
  const isBonus =
    BONUS.test(label) ||
    [...roles.of('daypart'), ...roles.of('kind'), ...roles.of('action')].some((column) => BONUS_CODE.test(texts.get(column) ?? ''))
  const describes =
    DESCRIBING.some((role) => roles.of(role).some((column) => describesLine(role, texts.get(column)))) ||
    airtimeOf(label).start !== undefined
  if (PAGE.test(placed.row.cells.map(({ text }) => text).join(' ')))
    return { ...placed, kind: 'text', label, isBonus, describes: false, texts, at, weeks: [] }
  const made = (kind: ReadRow['kind']): ReadRow => ({ ...placed, kind, label, isBonus, describes, texts, at, weeks: [] })
  const counts = filled(counting)
  const prices = filled(pricing)
  if (counts.length + prices.length === 0) return made('text')
  if (!describes && (TOTAL.test(label) || TOTAL_ONLY.test(label))) return made('total')
  const isCanceled =
    roles.of('action').some((column) => CANCELED.test(texts.get(column) ?? '')) ||
    codes.some((text) => /^(cancel|cancell?ed|deleted)$/i.test(text))
  if (isCanceled) return made('canceled')
  if (FEE.test(label)) return made('fee')
  if (counts.length + prices.length < 2 && !describes && label === '') return made('text')
  if (counts.length === 0)
    return made(
      roles.of('dates').length > 0 && describes && prices.length > 0 ? 'line' : prices.length > 0 && label !== '' ? 'fee' : 'unknown',
    )
  return made(describes || label !== '' ? 'line' : 'unknown')
}

function isStated(cell: Cell | undefined): boolean {
  return cell !== undefined && (amountOf(cell.text) !== undefined || /^[xX]$/.test(cell.text))
}

/** Words that name a row: no number, and no days or window. A number of a line below `Line` is none. */
function saysWords(cell: Cell, role: Role | undefined): boolean {
  if (role !== undefined && ['length', 'row', 'clock', 'ignored'].includes(role))
    return /[A-Za-z]{3}/.test(cell.text) && secondsOf(cell.text) === undefined
  return !isNumeric(cell) && /[A-Za-z]/.test(cell.text) && secondsOf(cell.text) === undefined
}

/** Returns true if a cell says when a line airs or how long its spots are. */
function describesLine(role: Role, text: string | undefined): boolean {
  if (text === undefined) return false
  if (role === 'length') return secondsOf(text) !== undefined
  if (role === 'days') return daysOf(text) !== undefined || airtimeOf(text).days !== undefined
  return /\d/.test(text)
}

/**
 * Where lines say when they air, a row that does not is no line, unless it says that it is a bonus: its numbers show whether it is a sum. A row
 * of money alone below a sum of money continues that sum, where neighbouring columns are too narrow for it.
 */
function sumsTold(rows: readonly ReadRow[], { dates, headings }: Region): ReadRow[] {
  const lines = rows.filter(({ kind }) => kind === 'line')
  const describing = lines.filter(({ describes }) => describes).length
  const isRule = describing * 2 > lines.length || headings.some(({ named }) => named?.role === 'days' || named?.role === 'window')
  let last: ReadRow | undefined
  let above: readonly ReadRow[] = []
  return rows.map((row) => {
    const cells = [...row.cells]
    const isMoneyOnly =
      row.label === '' && cells.length > 0 && cells.every(([at, { text }]) => dates.has(at) && isMoney(text)) && last?.kind === 'total'
    const told: ReadRow = isMoneyOnly
      ? { ...row, kind: 'total', label: last?.label ?? '' }
      : row.kind === 'line' && !row.describes && ((isRule && !row.isBonus) || isSumOf(row, above, dates))
        ? { ...row, kind: 'unknown' }
        : row
    last = told
    above = told.kind === 'line' ? [...above, told] : told.kind === 'total' || told.kind === 'unknown' ? [] : above
    return told
  })
}

/** Returns true if each number of a row below the dates is the sum of two or more lines above it. */
function isSumOf(row: ReadRow, above: readonly ReadRow[], dates: Region['dates']): boolean {
  const columns = [...dates.keys()]
  const at = (own: ReadRow, column: number) => countOf(own.cells.get(column)?.text ?? '') ?? 0
  const sums = columns.map((column) => above.reduce((sum, own) => sum + at(own, column), 0))
  return above.length > 1 && columns.length > 1 && columns.every((column, place) => at(row, column) === sums[place])
}

/** Gives the rows of weeks to the line that they stand below, also across the end of a page. */
function withWeeks(rows: readonly ReadRow[], { subrows = [] }: Region): ReadRow[] {
  const owners = rows.filter(({ kind }) => kind === 'line' || kind === 'canceled')
  const ownerOf = ({ row }: PlacedRow) =>
    owners.findLast(({ row: own }) => own.sheet < row.sheet || (own.sheet === row.sheet && own.y < row.y))
  const owned = subrows.map((sub) => ({ sub, owner: ownerOf(sub.row) }))
  return rows.map((row) => ({ ...row, weeks: owned.filter(({ owner }) => owner === row).map(({ sub }) => sub) }))
}

/** A wrapped row has words below columns of words alone; one with a label in another column, such as `Station:`, states something of its own. */
function isWrapped({ cells }: ReadRow, headings: Region['headings']): boolean {
  return [...cells.keys()].every((at) => {
    const role = headings[at]?.named?.role
    return role === undefined || isWorded(role) || role === 'dates' || role === 'ignored'
  })
}

/** Columns of words, whose cells may wrap. */
function isWorded(role: Role | undefined): boolean {
  return role !== undefined && ['product', 'program', 'daypart', 'days', 'window', 'network', 'market', 'creative'].includes(role)
}

/**
 * Joins text rows to the line that they continue: on a page the nearest one, which may be the line below where wrapped cells stand on its last
 * row; in a grid the one above. A row of sums of money alone whose characters reach into the row above belongs to that row.
 */
function withContinuations(rows: readonly ReadRow[], { layout, headings }: Region): ReadRow[] {
  const lines = rows.flatMap((row, at) => (row.kind === 'line' || row.kind === 'fee' ? [at] : []))
  const added = new Map<number, ReadRow[]>()
  rows.forEach((row, at) => {
    if (
      row.kind !== 'text' ||
      TOTAL.test(row.label) ||
      !isWrapped(row, headings) ||
      row.loose.some(({ text }) => /\d/.test(text) && !/[A-Za-z]/.test(text))
    )
      return
    const sameSheet = lines.filter((line) => rows[line]?.row.sheet === row.row.sheet)
    const before = sameSheet.findLast((line) => line < at)
    const after = layout === 'page' ? sameSheet.find((line) => line > at) : undefined
    const distance = (line: number | undefined) =>
      line === undefined ? Number.POSITIVE_INFINITY : Math.abs((rows[line]?.row.y ?? 0) - row.row.y)
    const target = distance(before) <= distance(after) ? before : after
    if (target === undefined || distance(target) > (layout === 'grid' ? 2 : (row.row.cells[0]?.size ?? 8) * 4)) return
    added.set(target, [...(added.get(target) ?? []), row])
  })
  return rows.map((row, at) => {
    const more = added.get(at)
    if (more === undefined) return row
    const texts = new Map<number, string>()
    for (const part of [...more, row].sort((a, b) => a.row.y - b.row.y || a.row.sheet - b.row.sheet))
      for (const [column, cell] of part.cells)
        if (part === row || (isWorded(headings[column]?.named?.role) && (saysWords(cell, undefined) || /^\d{3,4}[AP]$/i.test(cell.text))))
          texts.set(column, [texts.get(column), cell.text].filter((text) => text !== undefined).join(' '))
    const label = [row.label, ...more.map((part) => part.label)].join(' ')
    return { ...row, texts, isBonus: row.isBonus || BONUS.test(label) }
  })
}

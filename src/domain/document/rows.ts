import type { Cell } from './cells.ts'
import { withContinuations } from './continuations.ts'
import { isList, named, type Role } from './headings/vocabulary.ts'
import type { PlacedRow } from './page/bands.ts'
import { readPeriod } from './readPeriod.ts'
import type { Region } from './regions.ts'
import {
  BONUS,
  BONUS_CODE,
  type ByRole,
  CANCELED,
  columnsByRole,
  FEE,
  FEE_OF_AIRTIME,
  LABEL,
  ONLY_TOTAL,
  PAGE,
  type ReadRow,
  saysWords,
  TOTAL,
  TOTAL_ONLY,
} from './rowKinds.ts'
import { airtimeOf, saysWindow } from './values/airtime.ts'
import { amountOf, countOf, isMoney, readAmount, secondsOf } from './values/amounts.ts'
import { daysOf } from './values/weekdays.ts'

const DESCRIBING: readonly Role[] = ['days', 'window', 'start', 'end', 'length']

/** Tells what each row of a region is; a text row is joined to the row that it continues. */
export function readRows(region: Region): ReadRow[] {
  const roles = columnsByRole(region)
  const firsts = region.rows.map((row): ReadRow => readRow(row, region, roles))
  return withWeeks(withContinuations(sumsTold(firsts, region), region), region)
}

function readRow(placed: PlacedRow, { headings, dates, undated }: Region, roles: ByRole): ReadRow {
  const counting = [
    ...dates.keys(),
    ...undated,
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
    saysWindow(label) ||
    (isList({ headings }) && roles.weekdays.length === 0 && namesLine(texts, roles) && (!TOTAL.test(label) || isNamedTotal(placed, roles)))
  if (PAGE.test(placed.row.cells.map(({ text }) => text).join(' ')))
    return { ...placed, kind: 'text', label, isBonus, describes: false, texts, at, weeks: [] }
  const made = (kind: ReadRow['kind']): ReadRow => ({ ...placed, kind, label, isBonus, describes, texts, at, weeks: [] })
  const counts = filled(counting)
  const prices = filled(pricing)
  // A row whose numbers are below no heading is a line if it says one: its line would be lost unasked.
  const saysSomeLine = placed.torn !== undefined && isList({ headings }) && saysLine(placed, dates.size + undated.length > 0)
  if (saysSomeLine && !(TOTAL.test(label) && counts.length > 0)) return made('line')
  // Its numbers may have run together with the words beside them.
  const isUncounted = isList({ headings }) && namesLine(texts, roles) && words.some(({ text }) => /\d/.test(text))
  if (counts.length + prices.length === 0) return made(isUncounted ? 'line' : 'text')
  if (!describes && (TOTAL.test(label) || TOTAL_ONLY.test(label)) && !isNamedTotal(placed, roles)) return made('total')
  const isCanceled =
    roles.of('action').some((column) => CANCELED.test(texts.get(column) ?? '')) ||
    codes.some((text) => /^(cancel|cancell?ed|deleted)$/i.test(text))
  if (isCanceled) return made('canceled')
  // A program may be called by a word of fees: `Credit Check`; a fee is of no several weeks.
  const airs =
    saysWindow(label) ||
    (['days', 'window', 'start'] as const).some((role) => roles.of(role).some((column) => describesLine(role, texts.get(column))))
  if ((airs || counts.length > 2 ? FEE_OF_AIRTIME : FEE).test(label)) return made('fee')
  if (counts.length + prices.length < 2 && !describes && label === '') return made('text')
  const namesPeriod = (['dates', 'weekOf', 'startDate'] as const).some((role) => roles.of(role).some((column) => placed.cells.has(column)))
  // Units that cannot be read are asked, never passed over.
  const isUnread = counting.some((column) => /[A-Za-z0-9]/.test(placed.cells.get(column)?.text ?? ''))
  if (counts.length === 0 && isUnread && label !== '') return made('line')
  // Above rows of weeks, a title may state the price of all.
  if (counts.length === 0 && describes && roles.weekdays.length > 0 && roles.of('perWeek').length === 0 && !namesPeriod) return made('text')
  if (counts.length === 0 && airs && prices.length > 0) return made('line')
  if (counts.length === 0)
    return made(namesPeriod && describes && prices.length > 0 ? 'line' : prices.length > 0 && label !== '' ? 'fee' : 'unknown')
  return made(describes || label !== '' ? 'line' : 'unknown')
}

/**
 * Returns true if the cells of a torn row are those of a line, whatever headings they are near to: a name beside two amounts, or in a list of
 * weeks a period beside one, and no label, as on the head or at the foot of a page.
 */
function saysLine({ row: { cells } }: PlacedRow, isGrid: boolean): boolean {
  const texts = cells.map(({ text }) => text)
  if (texts.length < 3 || texts.some((text) => named(text) !== undefined || LABEL.test(text) || TOTAL.test(text))) return false
  const amounts = texts.filter((text) => readAmount(text) !== undefined).length
  if (amounts >= 2 && texts.some((text) => /[a-z]{2}/i.test(text))) return true
  // A period may have run together with the cell beside it.
  const namesPeriod = (word: string) => readPeriod(word, { anchor: () => '2000-01-01' }) !== undefined
  return !isGrid && amounts === 1 && texts.some((text) => text.split(/\s+/).some(namesPeriod))
}

/** What is named "Total Something" has a period or a price of its own, unlike a total. */
function isNamedTotal({ cells }: PlacedRow, roles: ByRole): boolean {
  const name = [...roles.of('product'), ...roles.of('program')].flatMap((column) => cells.get(column)?.text ?? [])[0]
  if (name === undefined || !/^total\b/i.test(name) || ONLY_TOTAL.test(name) || /\btotals? (for|of)\b/i.test(name)) return false
  return (['dates', 'weekOf', 'startDate', 'rate', 'cpm'] as const).some((role) => roles.of(role).some((column) => cells.has(column)))
}

function isStated(cell: Cell | undefined): boolean {
  return cell !== undefined && (amountOf(cell.text) !== undefined || /^[xX]$/.test(cell.text))
}

/** A row of a list that names what airs and its period is a line, whatever its numbers are. */
function namesLine(texts: ReadonlyMap<number, string>, roles: ByRole): boolean {
  const has = (some: readonly Role[]) => some.some((role) => roles.of(role).some((column) => texts.has(column)))
  return has(['product', 'program', 'daypart']) && has(['weekOf', 'dates', 'startDate'])
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

import type { Weekday } from '../../contract/vocabulary.ts'
import { type Decimal, decimal, sameAmount } from '../decimal.ts'
import type { Cell } from './cells.ts'
import { type Basis, isList } from './headings/vocabulary.ts'
import { lengthsOf, type Stated } from './lengths.ts'
import type { LinePeriod, OfRow, UnreadPart } from './linePeriod.ts'
import { periodsOf } from './periods.ts'
import type { Region } from './regions.ts'
import type { NumberRoles } from './roles.ts'
import { airtimeOfRow } from './rowAirtime.ts'
import { BONUS, BONUS_CODE, type ByRole, columnsByRole, type ReadRow } from './rowKinds.ts'
import { mergedOver, rowPeriod } from './rowPeriod.ts'
import { type Doubt, type Terms, termsOf } from './terms.ts'
import { airtimeOf } from './values/airtime.ts'
import { amountOf, countOf, readSeconds } from './values/amounts.ts'

/** A line of an order: what one row of a table orders, with its weeks or days. */
export interface OrderLine {
  readonly row: string | undefined
  readonly network: string | undefined
  readonly days: readonly Weekday[] | undefined
  readonly start: string | undefined
  readonly end: string | undefined
  readonly product: string | undefined
  readonly program: string | undefined
  /** Seconds. */
  readonly length: number | undefined
  readonly rate: Decimal | undefined
  readonly basis: Basis | 'unknown'
  readonly kind: 'paid' | 'bonus'
  readonly periods: readonly LinePeriod[]
  /** The units that the row states as its sum, and its price, with their cells. */
  readonly stated: {
    readonly units?: Cell | undefined
    readonly rate?: Cell | undefined
    readonly cost?: Cell | undefined
    readonly length?: Cell | undefined
    /** What names what airs. */
    readonly bought?: Cell | undefined
  }
  readonly at: string
  readonly y: number
  readonly sheet: number
  /** The positions of its region and row. */
  readonly region: number
  readonly terms: Terms
  /** Parts of it whose period or units cannot be read. */
  readonly unread: readonly UnreadPart[]
  /** What keeps the line from being taken as it stands. */
  readonly doubts: readonly Doubt[]
}

/** Reads the lines of a region. */
export function linesOf(region: Region, rows: readonly ReadRow[], numbers: NumberRoles, stated: Stated): OrderLine[] {
  const roles = columnsByRole(region)
  const lengths = lengthsOf(region, rows, roles, stated)
  const isOnce = isWrittenOnce(rows, roles, region.layout)
  const isBare = barenessIn(rows, roles)
  let network: Cell | undefined
  let title: ReadRow | undefined
  return rows.flatMap((row, at): OrderLine[] => {
    const isNamed = bought(row, roles) !== undefined
    if (row.kind === 'line') network = roles.of('network').flatMap((column) => row.cells.get(column) ?? [])[0] ?? network
    if (row.kind === 'text' && roles.weekdays.length > 0 && isNamed) title = row
    if (row.kind !== 'line') return []
    if (isNamed || !isOnce) title = row
    const described = title !== undefined && (roles.weekdays.length > 0 || isOnce) && !saysAirtime(row, roles) ? title : row
    const line = lineOf({ region, row, described, roles, numbers, network, length: lengths.get(at), stated })
    const isUnsaid = described === row && isBare(row)
    return [isUnsaid ? { ...line, doubts: [...line.doubts, { message: 'The row does not say what or when it airs.' }] } : line]
  })
}

/** Returns whether a row says nothing of its airtime itself, where most lines of its table do. */
function barenessIn(rows: readonly ReadRow[], roles: ByRole): (row: ReadRow) => boolean {
  const columns = (['days', 'window', 'start', 'program', 'product', 'daypart'] as const).flatMap((role) => roles.of(role))
  const says = (row: ReadRow) => columns.some((column) => row.cells.has(column))
  const lines = rows.filter(({ kind }) => kind === 'line')
  const isUsual = lines.filter(says).length * 2 > lines.length
  return (row) => isUsual && !says(row)
}

/** Returns true if a row has days or a window of its own, so that no row above says what it is. */
function saysAirtime(row: ReadRow, roles: ByRole): boolean {
  return (['days', 'window', 'start'] as const).some((role) => roles.of(role).some((column) => row.cells.has(column)))
}

const NAMING = ['product', 'program', 'daypart'] as const

/** Returns the cell of a row that names what airs. */
function bought(row: ReadRow, roles: ByRole): Cell | undefined {
  return NAMING.flatMap((role) => roles.of(role).flatMap((column) => row.cells.get(column) ?? []))[0]
}

/**
 * Returns true if a table writes the name of what airs once, for the rows below it too: rows without one say nothing else of their airtime, and no
 * two rows in succession repeat a name. On a page a name that is missing may have moved.
 */
function isWrittenOnce(rows: readonly ReadRow[], roles: ByRole, layout: Region['layout']): boolean {
  if (roles.weekdays.length > 0) return true
  if (layout === 'page' || (['days', 'window', 'start', 'block'] as const).some((role) => roles.of(role).length > 0)) return false
  const names = rows.flatMap((row) => (row.kind === 'line' ? [bought(row, roles)?.text] : []))
  if (names.some((name) => name !== undefined && airtimeOf(name).start !== undefined)) return false
  return names[0] !== undefined && names.every((name, at) => at === 0 || name === undefined || name !== names[at - 1])
}

/** What a column of actions says of a row that is ordered. Of any other word, such as `OLD` of a change, it is asked. */
const ORDERS = /^(add|added|n|new|e|edit|edited|order|ordered|active|approved|bonus|com|bns|ok)$/i

function lineOf(of: OfRow): OrderLine {
  const { region, row, described, roles, numbers, network, length, stated } = of
  const { periods, unread = [], doubt, fields } = rowPeriod(of, () => periodsOf(of))
  const { terms, doubts: ofTerms } = termsOf(
    row,
    region,
    roles,
    network === undefined ? stated.above : { ...stated.above, network: { read: network.text, at: network.at } },
  )
  const price = priceOf(of, periods.length > 0)
  const doubts: Doubt[] = [
    ...(row.torn === undefined ? [] : [{ message: row.torn }]),
    ...mergedOver(row, region, numbers),
    ...(doubt === undefined ? [] : [{ message: doubt, fields }]),
    ...(region.fault === undefined ? [] : [{ message: region.fault.message }]),
    ...roles.of('action').flatMap((column) => {
      const said = row.texts.get(column)
      return said === undefined || ORDERS.test(said) ? [] : [{ message: `The word "${said}" does not say that the row is ordered.` }]
    }),
    ...otherUnits(of),
    ...price.doubts,
    ...lengthDoubts(of),
    ...ofTerms,
  ]
  const text = (role: Parameters<ByRole['of']>[0], from = row) =>
    roles
      .of(role)
      .map((column) => from.texts.get(column))
      .find((own) => own !== undefined)
  const cellOf = (column: number | undefined) => (column === undefined ? undefined : row.cells.get(column))
  return {
    row: text('row'),
    network: terms.network?.read,
    ...airtimeOfRow(described, roles),
    product: text('product', described),
    length: length?.seconds,
    rate: price.rate,
    basis: numbers.basis ?? 'unknown',
    kind: price.isFree ? 'bonus' : 'paid',
    periods,
    stated: {
      units: cellOf(numbers.units),
      rate: cellOf(numbers.rate),
      cost: cellOf(numbers.cost),
      length: length?.cell,
      bought: bought(described, roles),
    },
    at: row.at,
    y: row.row.y,
    sheet: row.row.sheet,
    region: stated.region,
    terms,
    unread,
    // A row of no units, such as the heading of the rows of its weeks, orders nothing that could be in doubt.
    doubts: periods.length === 0 && countOf(cellOf(numbers.units)?.text ?? '') === 0 ? [] : doubts,
  }
}

function priceOf({ region, row, described, roles, numbers }: OfRow, isOrdered: boolean) {
  const cell = numbers.rate === undefined ? undefined : row.cells.get(numbers.rate)
  const rate = cell === undefined ? undefined : amountOf(cell.text)
  // A word for nothing may stand in place of the price: `BONUS`, `N/C`.
  const isWord = cell !== undefined && (BONUS.test(cell.text) || BONUS_CODE.test(cell.text))
  const isBonus = row.isBonus || described.isBonus || isWord
  const isFree = rate === undefined || sameAmount(rate, 0)
  const doubts: Doubt[] = []
  const doubted = (message: string) => doubts.push({ message, ...(isList(region) ? { fields: ['rate'] } : {}) })
  if (cell !== undefined && rate?.lt(decimal(0)) === true) doubted(`"${cell.text}" is no price`)
  if (cell !== undefined && rate === undefined && !isWord && !/^[-–—]$/.test(cell.text)) doubted(`"${cell.text}" is no price`)
  const hasOther = roles.of('cpm').some((column) => row.cells.has(column))
  if (rate === undefined && !isBonus && isOrdered && !hasOther) doubted(NO_PRICE)
  if (isFree && !isBonus && cell !== undefined && !/\$|\.\d/.test(cell.text) && region.layout === 'page')
    doubted('The price is zero, and nothing says that the row is a bonus.')
  const others = numbers.certainty === 'proven' ? [] : roles.of('rate').flatMap((column) => row.cells.get(column) ?? [])
  const other = others.find(({ text }) => cell !== undefined && text !== cell.text)
  if (other !== undefined) doubted(`Two columns state it: "${cell?.text}" and "${other.text}".`)
  // A price that is missing is no sign of a bonus.
  return { rate, isFree: !hasOther && (rate === undefined ? isBonus : isFree), doubts }
}

export const NO_PRICE = 'The row states no price, and nothing says that it is a bonus.'

/** A list may leave the length out, where one published price decides; a column of lengths may not leave one out. */
function lengthDoubts({ region, roles, length, stated }: OfRow): Doubt[] {
  if (length?.seconds !== undefined) return []
  const [column] = roles.of('length')
  const heading = column === undefined ? undefined : region.headings[column]
  if (isList(region) && (heading === undefined || (length?.cell === undefined && stated.above.spot_length !== undefined))) return []
  // What a seller sells may have any length; no published price has an odd one.
  if (isList(region) && length?.cell !== undefined && readSeconds(length.cell.text) !== undefined) return []
  const fields = isList(region) ? ['spot_length'] : undefined
  if (length?.cell !== undefined) return [{ message: `The value "${length.cell.text}" is no length.`, fields }]
  return [{ message: heading === undefined ? 'The row states no length.' : `The line has nothing under ${heading.text}.`, fields }]
}

/** Two columns of units of a list have to agree. */
function otherUnits({ region, row, roles, numbers }: OfRow): Doubt[] {
  if (!isList(region) || region.dates.size > 0) return []
  const own = numbers.units === undefined ? undefined : row.cells.get(numbers.units)
  const other = roles
    .of('units')
    .flatMap((column) => row.cells.get(column) ?? [])
    .find(({ text }) => own !== undefined && text !== own.text)
  return other === undefined ? [] : [{ message: `Two columns state it: "${own?.text}" and "${other.text}".`, fields: ['units'] }]
}

export type { LinePeriod } from './linePeriod.ts'

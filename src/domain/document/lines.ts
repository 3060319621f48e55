import { WEEKDAYS, type Weekday } from '../../contract/vocabulary.ts'
import { type Decimal, sameAmount } from '../decimal.ts'
import type { Cell } from './cells.ts'
import type { Basis } from './headings/vocabulary.ts'
import { lengthsOf, type Stated } from './lengths.ts'
import { type LinePeriod, type OfRow, periodsOf, subrowDays } from './periods.ts'
import type { Region } from './regions.ts'
import type { NumberRoles } from './roles.ts'
import { type ByRole, columnsByRole, type ReadRow } from './rowKinds.ts'
import { mergedOver, rowPeriod } from './rowPeriod.ts'
import { airtimeOf, windowBetween } from './values/airtime.ts'
import { amountOf, countOf } from './values/amounts.ts'

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
  }
  readonly at: string
  readonly y: number
  readonly sheet: number
  /** The positions of its region and row. */
  readonly region: number
  /** What keeps the line from being taken as it stands. */
  readonly doubts: readonly string[]
}

/** Reads the lines of a region. */
export function linesOf(region: Region, rows: readonly ReadRow[], numbers: NumberRoles, stated: Stated): OrderLine[] {
  const roles = columnsByRole(region)
  const lengths = lengthsOf(region, rows, roles, stated)
  let network: string | undefined
  let title: ReadRow | undefined
  return rows.flatMap((row, at): OrderLine[] => {
    network =
      roles
        .of('network')
        .map((column) => row.texts.get(column))
        .find((text) => text !== undefined && row.kind === 'line') ?? network
    if (row.kind === 'text' && roles.weekdays.length > 0 && row.cells.has(roles.of('program')[0] ?? -1)) title = row
    if (row.kind !== 'line') return []
    if (roles.weekdays.length > 0 && row.cells.has(roles.of('program')[0] ?? -1)) title = row
    const described = roles.weekdays.length > 0 && title !== undefined ? title : row
    return [lineOf({ region, row, described, roles, numbers, network, length: lengths.get(at), stated })]
  })
}

/** What a column of actions says of a row that is ordered. Of any other word, such as `OLD` of a change, it is asked. */
const ORDERS = /^(add|added|n|new|e|edit|edited|order|ordered|active|approved|bonus|com|bns|ok)$/i

function lineOf(of: OfRow): OrderLine {
  const { region, row, described, roles, numbers, network, length, stated } = of
  const doubts: string[] = row.torn === undefined ? [] : [row.torn]
  const { periods, doubt } = rowPeriod(of, () => periodsOf(of))
  doubts.push(...mergedOver(row, region))
  if (doubt !== undefined) doubts.push(doubt)
  if (region.fault !== undefined) doubts.push(region.fault.message)
  const action = roles.of('action').flatMap((column) => row.texts.get(column) ?? [])
  for (const said of action) if (!ORDERS.test(said)) doubts.push(`"${said}" does not say that the row is ordered.`)
  const cellOf = (column: number | undefined) => (column === undefined ? undefined : row.cells.get(column))
  const rateCell = cellOf(numbers.rate)
  const rate = rateCell === undefined ? undefined : amountOf(rateCell.text)
  if (rateCell !== undefined && rate === undefined && !/^[-–—]$/.test(rateCell.text)) doubts.push(`"${rateCell.text}" is no price`)
  const isBonus = row.isBonus || described.isBonus
  const isFree = rate === undefined || sameAmount(rate, 0)
  if (rate === undefined && !isBonus && periods.length > 0) doubts.push('The row states no price, and nothing says that it is a bonus.')
  if (isFree && !isBonus && rateCell !== undefined && !/\$|\.\d/.test(rateCell.text) && region.layout === 'page')
    doubts.push('The price is zero, and nothing says that the row is a bonus.')
  if (length?.seconds === undefined) doubts.push('The row states no length.')
  const airtime = airtimeOfRow(described, roles)
  const text = (role: Parameters<ByRole['of']>[0], from = row) =>
    roles
      .of(role)
      .map((column) => from.texts.get(column))
      .find((own) => own !== undefined)
  return {
    row: text('row'),
    network,
    ...airtime,
    product: text('product'),
    length: length?.seconds,
    rate,
    basis: numbers.basis ?? 'unknown',
    kind: isFree ? 'bonus' : 'paid',
    periods,
    stated: { units: cellOf(numbers.units), rate: rateCell, cost: cellOf(numbers.cost), length: length?.cell },
    at: row.at,
    y: row.row.y,
    sheet: row.row.sheet,
    region: stated.region,
    // A row of no units, such as the heading of the rows of its weeks, orders nothing that could be in doubt.
    doubts: periods.length === 0 && countOf(cellOf(numbers.units)?.text ?? '') === 0 ? [] : doubts,
  }
}

/** Reads days, window and program from the columns that may hold them; each part is taken from the first column that states it. */
function airtimeOfRow(row: ReadRow, roles: ByRole): Pick<OrderLine, 'days' | 'start' | 'end' | 'program'> {
  const texts = (['days', 'window', 'program', 'daypart'] as const).flatMap((role) =>
    roles.of(role).flatMap((column) => row.texts.get(column) ?? []),
  )
  const parsed = texts.map(airtimeOf)
  const marks =
    roles.of('perWeek').length > 0 ? WEEKDAYS.filter((_, day) => /^[xX✓]$/.test(row.texts.get(roles.weekdays[day] ?? -1) ?? '')) : []
  const [start, end] = [roles.of('start')[0], roles.of('end')[0]].map((column) =>
    column === undefined ? undefined : row.texts.get(column),
  )
  const own = start !== undefined && end !== undefined ? windowBetween(start, end) : undefined
  const window = own ?? parsed.find((of) => of.start !== undefined)
  // A column of programs may hold days and windows alone; then the block of languages beside it names what airs.
  const rests = (role: Parameters<ByRole['of']>[0]) =>
    roles
      .of(role)
      .flatMap((column) => row.texts.get(column) ?? [])
      .flatMap((text) => airtimeOf(text).rest || [])
  return {
    days: marks.length > 0 ? marks : (parsed.find((of) => of.days !== undefined)?.days ?? subrowDays(row)),
    start: window?.start,
    end: window?.end,
    program: rests('program')[0] ?? rests('block')[0] ?? parsed.find((of) => of.rest !== '')?.rest,
  }
}

export type { LinePeriod } from './periods.ts'

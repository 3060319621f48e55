import type { Period } from '../../contract/scalars.ts'
import { mondayOf, weekdayOf, weekOf } from '../calendar.ts'
import { overlaps } from './cells.ts'
import type { LinePeriod, OfRow, Periods } from './periods.ts'
import { ordersIn, periodOfRange, readDate, readPeriod } from './readPeriod.ts'
import type { Region } from './regions.ts'
import { columnsByRole, type ReadRow } from './rowKinds.ts'
import { countOf } from './values/amounts.ts'

/** The order of day and month in the dates of a document's rows: of one hand, so that one date decides for all. */
export type DateOrder = 'month first' | 'day first' | 'mixed'

/** Returns the order of day and month in the dates that stand in rows. */
export function dateOrderOf(tables: readonly Region[], rows: readonly (readonly ReadRow[])[]): DateOrder {
  const orders = new Set(
    tables.flatMap((region, at) => {
      const columns = dateColumns(columnsByRole(region))
      return (rows[at] ?? []).flatMap((row) => columns.flatMap((column) => ordersIn(row.texts.get(column) ?? '')))
    }),
  )
  if (!orders.has('day first')) return 'month first'
  return orders.has('month first') ? 'mixed' : 'day first'
}

function dateColumns({ of }: OfRow['roles']): number[] {
  return [...of('weekOf'), ...of('dates'), ...of('startDate'), ...of('endDate')]
}

/**
 * Returns the weeks or days of a row. Where it names one period in the words of a list, such as `2030-W23`, `June 2030` or `w/c Jun 10`, that is
 * it; else what `inTable` finds by the form of the table.
 */
export function rowPeriod(of: OfRow, inTable: () => Periods): Periods {
  const { region, row, roles, numbers, stated } = of
  const columns = dateColumns(roles)
  const texts = columns.flatMap((column) => row.texts.get(column) ?? [])
  const isOfRow = region.dates.size === 0 && row.weeks.length === 0 && roles.weekdays.length === 0 && roles.of('perWeek').length === 0
  if (!isOfRow) return inTable()
  if (stated.order === 'mixed' && texts.some((text) => ordersIn(text).includes('either')))
    return { periods: [], doubt: 'The document has dates with the day first and dates with the month first; this one may be either.' }
  const found = stated.order === 'month first' ? inTable() : { periods: [], doubt: 'The row does not say its week and its units.' }
  // Units of a span of several weeks are of none of them, though the span be a month.
  if (found.periods.length > 0) return found
  const period = writtenPeriod(of)
  const counts = numbers.units === undefined ? undefined : row.cells.get(numbers.units)
  const units = counts === undefined ? undefined : countOf(counts.text)
  if (period === undefined || units === undefined) return found
  const line: LinePeriod = { ...periodStart(period), units, at: counts?.at ?? row.at, read: counts?.text ?? '' }
  return { periods: units > 0 ? [line] : [] }
}

function periodStart(period: Period): Pick<LinePeriod, 'grain' | 'start'> {
  if (period.grain !== 'week') return { grain: period.grain, start: period.start }
  return { grain: 'week', start: mondayOf(period.start) }
}

/** Reads the period that a row names. A date of a week has to be its Monday. */
function writtenPeriod({ row, roles, stated }: OfRow): Period | undefined {
  const dates = datesOf(stated)
  const [week, range, start, end] = (['weekOf', 'dates', 'startDate', 'endDate'] as const).map((role) => roles.of(role)[0])
  const textAt = (column: number | undefined) => (column === undefined ? undefined : row.texts.get(column))
  if (week !== undefined) return weekIn(textAt(week) ?? '', dates)
  // A date alone may be a day, or the first one of a week or flight.
  if (range !== undefined) return booked(readPeriod(textAt(range) ?? '', dates))
  const [from, to] = [readDate(textAt(start) ?? '', dates), readDate(textAt(end) ?? '', dates)]
  return from === undefined || to === undefined ? undefined : booked(periodOfRange(from, to))
}

type Dates = Parameters<typeof readDate>[1]

function datesOf({ anchor, order }: OfRow['stated']): Dates {
  return { anchor, order: order === 'day first' ? 'day first' : 'month first' }
}

function booked(period: Period | undefined): Period | undefined {
  return period?.grain === 'day' ? undefined : period
}

function weekIn(text: string, dates: Dates): Period | undefined {
  const day = readDate(text.replace(/^(?:w\/?[co]|(?:week|wk)\.?(?:\s(?:of|beginning|commencing|starting))?)[:.]?\s/i, ''), dates)
  if (day !== undefined) return weekdayOf(day) === 'Mon' ? { grain: 'week', start: weekOf(day) } : undefined
  return booked(readPeriod(/^\d{1,2}$/.test(text.trim()) ? `W${text.trim()}` : text, { ...dates, grain: 'week' }))
}

/** Returns the faults of merged cells: numbers that stand for several rows or columns are of none of them. */
export function mergedOver(row: ReadRow, { headings, dates, layout }: Region): string[] {
  if (layout !== 'grid') return []
  return [...row.cells].flatMap(([at, cell]) => {
    const role = headings[at]?.named?.role
    const isOfWeek = dates.has(at) || role === 'units'
    if (isOfWeek && cell.rows !== undefined && /\d/.test(cell.text)) return [`The cell ${cell.at} stands for ${cell.rows} rows.`]
    const spread = /\d/.test(cell.text) ? headings.filter((heading) => overlaps(heading, cell)) : []
    return spread.length > 1 ? [`"${cell.text}" (${cell.at}) is under ${spread.map(({ text }) => text).join(' and ')}.`] : []
  })
}

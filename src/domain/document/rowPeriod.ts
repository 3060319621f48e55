import type { Period } from '../../contract/scalars.ts'
import { mondayOf, weekdayOf, weekOf } from '../calendar.ts'
import { overlaps } from './cells.ts'
import { isList, wordsOf } from './headings/vocabulary.ts'
import { weekNumber, weeksNumbered } from './headings/weekNumbers.ts'
import type { DateOrder } from './lengths.ts'
import type { LinePeriod, OfRow, Periods } from './linePeriod.ts'
import { ordersIn, periodOfRange, readDate, readPeriod } from './readPeriod.ts'
import type { Region } from './regions.ts'
import type { NumberRoles } from './roles.ts'
import { columnsByRole, type ReadRow } from './rowKinds.ts'
import type { Doubt } from './terms.ts'
import { readCount } from './values/amounts.ts'

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
 * it; else what `inTable` finds by the form of the table. What cannot be read stays in its own words.
 */
export function rowPeriod(of: OfRow, inTable: () => Periods): Periods {
  const { region, row, roles, stated } = of
  const texts = dateColumns(roles).flatMap((column) => row.texts.get(column) ?? [])
  const isOfRow =
    region.dates.size + region.undated.length === 0 &&
    row.weeks.length === 0 &&
    roles.weekdays.length === 0 &&
    roles.of('perWeek').length === 0
  if (!isOfRow) return inTable()
  if (stated.order === 'mixed' && texts.some((text) => ordersIn(text).includes('either'))) {
    const message = 'The document has dates with the day first and dates with the month first; this one may be either.'
    return { ...inList(of), doubt: message, fields: ['period'] }
  }
  if (isList(region)) return inList(of)
  const found = stated.order === 'month first' ? inTable() : { periods: [], doubt: 'The row does not say its week and its units.' }
  // Units of a span of several weeks are of none of them, though the span be a month.
  if (found.periods.length > 0 || found.doubt === undefined) return found
  const listed = inList(of)
  return listed.periods.length > 0 || listed.doubt === undefined ? listed : { ...listed, doubt: found.doubt, fields: undefined }
}

/** Reads a row of a list: one period with its units, or its goal of impressions. */
function inList(of: OfRow): Periods {
  const { row, numbers, roles } = of
  const named = nameOf(of)
  const cell = numbers.units === undefined ? undefined : row.cells.get(numbers.units)
  const units = cell === undefined ? undefined : readCount(cell.text)
  const period = writtenPeriod(of)
  if (units === 0) return { periods: [] }
  const goal = cell === undefined && roles.of('impressions').some((column) => row.cells.has(column))
  if (period !== undefined && units !== undefined)
    return { periods: [{ ...periodStart(period), units, at: cell?.at ?? row.at, read: cell?.text ?? '', named }] }
  const unread = [
    {
      ...(named === undefined ? {} : { period: period === undefined ? named : { ...named, value: period } }),
      ...(cell === undefined ? {} : { units: { read: cell.text, at: cell.at } }),
    },
  ]
  const fields = [...(period === undefined ? ['period'] : []), ...(units === undefined && !goal ? ['units'] : [])]
  if (fields.length === 0) return { periods: [], unread }
  const what = { period: 'its week', units: 'its units' }
  const message = `The row does not say ${fields.map((field) => what[field as keyof typeof what]).join(' and ')}.`
  return { periods: [], unread, doubt: message, fields }
}

/** The text of a row that names its period. */
function nameOf({ row, roles }: OfRow): { read: string; at: string } | undefined {
  const cells = dateColumns(roles).flatMap((column) => {
    const text = row.texts.get(column)
    return text === undefined ? [] : [{ text, at: row.cells.get(column)?.at ?? row.at }]
  })
  return cells[0] && { read: cells.map(({ text }) => text).join(' - '), at: cells[0].at }
}

function periodStart(period: Period): Pick<LinePeriod, 'grain' | 'start'> {
  if (period.grain !== 'week') return { grain: period.grain, start: period.start }
  return { grain: 'week', start: mondayOf(period.start) }
}

/** Reads the period that a row names. A date of a week has to be its Monday. */
function writtenPeriod(of: OfRow): Period | undefined {
  const { region, row, roles, stated } = of
  const dates = datesOf(stated)
  const [week, range, start, end] = (['weekOf', 'dates', 'startDate', 'endDate'] as const).map((role) => roles.of(role)[0])
  const textAt = (column: number | undefined) => (column === undefined ? undefined : row.texts.get(column))
  const numbered = week === undefined ? undefined : numberedWeek(of, week)
  if (numbered !== undefined) return numbered.period
  if (week !== undefined) return weekIn(textAt(week) ?? '', dates)
  const isDay = isList(region) && range !== undefined && /^(air ?)?(date|day)$/.test(wordsOf(region.headings[range]?.text ?? ''))
  if (range !== undefined) return booked(readPeriod(textAt(range) ?? '', dates), isDay && !isOfMondays(region, range, dates))
  const from = readDate(textAt(start) ?? '', dates)
  const to = readDate(textAt(end) ?? '', from === undefined ? dates : { ...dates, anchor: () => from })
  return from === undefined || to === undefined ? undefined : booked(periodOfRange(from, to), isList(region))
}

/**
 * Reads a week by its number, of the calendar or of the flight as all numbers of its column tell. Without a flight they are those of the calendar,
 * unless they begin with one, as the weeks of any flight do. Undefined if the row names its week otherwise.
 */
function numberedWeek({ region, row, stated: { spans } }: OfRow, column: number): { readonly period: Period | undefined } | undefined {
  const numberIn = (text: string | undefined) =>
    text === undefined ? undefined : weekNumber(/^\d{1,2}$/.test(text.trim()) ? `W${text.trim()}` : text)
  const number = numberIn(row.texts.get(column))
  if (number === undefined) return undefined
  const [flight] = spans
  const numbers = [...new Set(region.rows.flatMap(({ cells }) => numberIn(cells.get(column)?.text) ?? []))]
  if (flight === undefined) return numbers.includes(1) ? { period: undefined } : undefined
  const start = weeksNumbered(numbers, flight)?.[numbers.indexOf(number)]
  return { period: start === undefined ? undefined : { grain: 'week', start: weekOf(start) } }
}

type Dates = Parameters<typeof readDate>[1]

function datesOf({ anchor, order }: OfRow['stated']): Dates {
  return { anchor, order: order === 'mixed' ? 'each' : order }
}

/** A date alone may be a day, or the first one of a week or flight: it is a day where its heading says so. */
function booked(period: Period | undefined, isDay: boolean): Period | undefined {
  return period?.grain === 'day' && !isDay ? undefined : period
}

/** Dates of which each is a Monday may be those of weeks. */
function isOfMondays({ rows }: Region, column: number, dates: Dates): boolean {
  const days = new Set(rows.flatMap(({ cells }) => readDate(cells.get(column)?.text ?? '', dates) ?? []))
  return days.size > 1 && [...days].every((day) => weekdayOf(day) === 'Mon')
}

function weekIn(text: string, dates: Dates): Period | undefined {
  const day = readDate(text.replace(/^(?:w\/?[co]|(?:week|wk)\.?(?:\s(?:of|beginning|commencing|starting))?)[:.]?\s/i, ''), dates)
  if (day !== undefined) return weekdayOf(day) === 'Mon' ? { grain: 'week', start: weekOf(day) } : undefined
  return booked(readPeriod(/^\d{1,2}$/.test(text.trim()) ? `W${text.trim()}` : text, { ...dates, grain: 'week' }), false)
}

/** Returns the faults of merged cells: numbers that stand for several rows or columns are of none of them. */
export function mergedOver(row: ReadRow, { headings, dates, layout }: Region, { certainty }: NumberRoles): Doubt[] {
  if (layout !== 'grid') return []
  return [...row.cells].flatMap(([at, cell]) => {
    const role = headings[at]?.named?.role
    const isOfWeek = dates.has(at) || role === 'units'
    if (isOfWeek && cell.rows !== undefined && /\d/.test(cell.text))
      return [{ fields: ['units'], message: `The cell ${cell.at} stands for ${cell.rows} rows; state the units of this one.` }]
    const isPrice =
      !isList({ headings }) && certainty !== 'proven' && role !== undefined && ['rate', 'cost', 'money', 'total'].includes(role)
    if (isPrice && cell.rows !== undefined && /\d/.test(cell.text))
      return [{ fields: ['rate'], message: `The cell ${cell.at} stands for ${cell.rows} rows; state the price of a unit of this one.` }]
    const spread = /\d/.test(cell.text) ? headings.filter((heading) => overlaps(heading, cell)) : []
    return spread.length > 1
      ? [{ message: `The cell "${cell.text}" (${cell.at}) is under ${spread.map(({ text }) => text).join(' and ')}.` }]
      : []
  })
}

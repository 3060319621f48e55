import type { Weekday } from '../../contract/vocabulary.ts'
import { addDays, dayOf } from '../calendar.ts'
import { type Decimal, sameAmount } from '../decimal.ts'
import type { Cell } from './cells.ts'
import { isList } from './headings/vocabulary.ts'
import { bookable, type LinePeriod, type OfRow, type Periods, type UnreadPart } from './linePeriod.ts'
import type { ReadRow } from './rowKinds.ts'
import { ofFlight, ofRange, ofSpan } from './spans.ts'
import { amountOf, countOf, unitsIn } from './values/amounts.ts'
import { isoOf, mondayBefore, WEEK_OF, weekdayIndex, writtenDate, yearDatesIn } from './values/dates.ts'
import { daysOf } from './values/weekdays.ts'

/** Returns the weeks or days of a row, by the form of its table. */
export function periodsOf(of: OfRow): Periods {
  const { region, row, roles, numbers } = of
  if (row.weeks.length > 0) return ofSubrows(row.weeks, of)
  if (region.dates.size > 0) return ofDates(of)
  if (region.undated.length > 0) return { periods: [], unread: undatedParts(of) }
  if (roles.weekdays.length > 0) return ofWeekdays(of)
  if (roles.of('weekOf').length > 0) return ofWeek(of, roles.of('weekOf')[0] as number, numbers.units)
  if (roles.of('startDate').length > 0) return ofSpan(of)
  if (roles.of('dates').length > 0) return ofRange(of, row.texts.get(roles.of('dates')[0] as number) ?? '')
  return ofFlight(of) ?? { periods: [], doubt: 'The row states no week.' }
}

/** The ways in which people write a week without units. */
const NOTHING = /^([-–—.]+|n\/?a|hiatus|dark|off)$/i

function ofDates({ region, row }: OfRow): Periods {
  const periods: LinePeriod[] = []
  const unread: UnreadPart[] = []
  let doubt: string | undefined
  for (const [column, { grain, start }] of region.dates) {
    const cell = row.cells.get(column)
    if (cell === undefined || NOTHING.test(cell.text)) continue
    const heading = region.headings[column]
    const named = { read: heading?.text ?? '', at: heading?.tokens.at(-1)?.at ?? cell.at }
    const units = unitsIn(cell.text)
    if (units === undefined) {
      doubt ??= `"${cell.text}" is no number of units`
      unread.push({ period: { ...named, value: bookable({ grain, start }) }, units: { read: cell.text, at: cell.at } })
    } else if (units > 0) periods.push({ grain, start, units, at: cell.at, read: cell.text, named })
  }
  return { periods, unread, doubt, fields: doubt === undefined || !isList(region) ? undefined : ['units'] }
}

/** The units below headings of dates that cannot be read, in the words of both. */
function undatedParts({ region, row }: OfRow): UnreadPart[] {
  return region.undated.flatMap((column): UnreadPart[] => {
    const [cell, heading] = [row.cells.get(column), region.headings[column]]
    if (cell === undefined || heading === undefined || /^[-–—.]$/.test(cell.text) || countOf(cell.text) === 0) return []
    return [{ period: { read: heading.text, at: heading.tokens.at(-1)?.at ?? cell.at }, units: { read: cell.text, at: cell.at } }]
  })
}

/** A row for each week, with the units of each day below the weekdays; or marks of days, with a span and spots a week. */
function ofWeekdays(of: OfRow): Periods {
  const { row, roles } = of
  const marks = roles.weekdays.map((column) => row.cells.get(column)?.text ?? '')
  if (roles.of('perWeek').length > 0) return ofWeeksTimesSpots(of, marks)
  const column = [...roles.of('dates'), ...roles.of('weekOf')][0]
  const [date] = column === undefined ? weekOfTable(of) : yearDatesIn(row.texts.get(column) ?? '')
  if (date === undefined) return { periods: [], doubt: 'The row does not say its week.' }
  if (weekdayIndex(date) !== 0) return { periods: [], doubt: `${date} is no Monday, so the days of its week are not certain.` }
  const counts = marks.map((mark) => (mark === '' || /^[-–—.]$/.test(mark) ? 0 : countOf(mark)))
  if (counts.includes(undefined)) return { periods: [], doubt: 'A number of units cannot be read.' }
  const periods = counts.flatMap((units, day): LinePeriod[] =>
    units === undefined || units === 0 ? [] : [{ grain: 'day', start: addDays(date, day), units, at: row.at, read: marks[day] as string }],
  )
  return { periods }
}

/** The week of a table without dates: the one that its title names, or the only span of the document, if that is a week. */
function weekOfTable({ region, stated: { spans } }: OfRow): string[] {
  const titled = WEEK_OF.test(region.title) ? yearDatesIn(region.title) : []
  if (titled.length > 0) return titled
  const weeks = new Set(spans.map(({ first, last }) => `${first} ${last}`))
  const [only] = spans
  return weeks.size === 1 && only !== undefined && only.last <= addDays(only.first, 6) ? [only.first] : []
}

/** A range expands only when its weeks, as many as the row says, times spots a week are the units of the row. */
function ofWeeksTimesSpots({ row, roles, numbers }: OfRow, marks: readonly string[]): Periods {
  const number = (column: number | undefined) => countOf(column === undefined ? '' : (row.texts.get(column) ?? ''))
  const [weeks, each, units] = [number(roles.of('weekCount')[0]), number(roles.of('perWeek')[0]), number(numbers.units)]
  const [first, last] = yearDatesIn(row.texts.get(roles.of('dates')[0] ?? -1) ?? '')
  if (first === undefined || last === undefined || each === undefined || units === undefined || weeks === undefined)
    return { periods: [], doubt: 'The row does not say its weeks and its units.' }
  if (marks.some((mark) => !/^([xX0✓]|)$/.test(mark))) return { periods: [], doubt: 'The days of the row cannot be read.' }
  const [from, to] = [mondayBefore(first), mondayBefore(last)]
  const span = (dayOf(to) - dayOf(from)) / 7 + 1
  const marked = marks.flatMap((mark, day) => (/[xX✓]/.test(mark) ? [day] : []))
  const isInside = marked[0] === weekdayIndex(first) && marked.at(-1) === weekdayIndex(last)
  if (weeks * each !== units) return { periods: [], doubt: `${weeks} weeks of ${each} spots are not ${units}.` }
  if (span !== weeks || !isInside)
    return {
      periods: [{ grain: 'flight', start: first, end: last, units, at: row.at, read: String(units) }],
      doubt: 'The row states another number of weeks than its dates span.',
    }
  return {
    periods: Array.from({ length: weeks }, (_, week) => ({
      grain: 'week' as const,
      start: addDays(from, week * 7),
      units: each,
      at: row.at,
      read: String(each),
    })),
  }
}

/** A row of one week. */
function ofWeek({ row, region }: OfRow, column: number, units: number | undefined): Periods {
  const cell = row.cells.get(column)
  const count = countOf(units === undefined ? '' : (row.cells.get(units)?.text ?? ''))
  const date = cell === undefined ? undefined : writtenDate(cell.text)
  if (cell === undefined || count === undefined) return { periods: [], doubt: 'The row does not say its week and its units.' }
  if (date?.year === undefined) return { periods: [], doubt: `"${cell.text}" is no date with a year.` }
  const start = isoOf(date, date.year)
  if (weekdayIndex(start) !== 0) return { periods: [], doubt: `${start} is no Monday.` }
  return {
    periods: count === 0 ? [] : [{ grain: 'week', start, units: count, at: cell.at, read: row.cells.get(units ?? -1)?.text ?? '' }],
    doubt: region.fault?.message,
  }
}

/** Rows of weeks below a line: each with its own days, units and price, which have to come to what the line states. */
function ofSubrows(sub: ReadRow['weeks'], { row, numbers }: OfRow): Periods {
  const periods: LinePeriod[] = []
  for (const { headings, row: week } of sub) {
    const column = (role: string) => headings.findIndex(({ named }) => named?.role === role)
    const cell = (role: string) => week.cells.get(column(role))
    const [start] = yearDatesIn(cell('startDate')?.text ?? '')
    const [end] = yearDatesIn(cell('endDate')?.text ?? '')
    const units = countOf(cell('perWeek')?.text ?? '')
    const isWeek = start !== undefined && end !== undefined && weekdayIndex(start) === 0 && addDays(start, 6) === end
    if (!isWeek || units === undefined || daysOf(cell('days')?.text ?? '') === undefined || week.torn !== undefined)
      return { periods: [], doubt: `A week of the line cannot be read: ${week.row.cells.map(({ text }) => text).join(' ')}` }
    if (units > 0) periods.push({ grain: 'week', start, units, at: cell('perWeek')?.at ?? row.at, read: String(units) })
  }
  const total = countOf(numbers.units === undefined ? '' : (row.texts.get(numbers.units) ?? ''))
  const sum = periods.reduce((all, { units }) => all + units, 0)
  return total === sum ? { periods } : { periods, doubt: `The weeks of the line come to ${sum} units, and the line states ${total}.` }
}

/** Returns the days that the rows of the weeks below a line state, if they agree. */
export function subrowDays({ weeks: sub }: ReadRow): readonly Weekday[] | undefined {
  const days = sub.map(({ headings, row }) =>
    daysOf(row.cells.get(headings.findIndex(({ named }) => named?.role === 'days'))?.text ?? '')?.join(' '),
  )
  return new Set(days).size === 1 ? (days[0]?.split(' ') as Weekday[] | undefined) : undefined
}

/** Returns the price that the rows of the weeks below a line state, if they agree. */
export function subrowRate({ weeks: sub }: ReadRow): { rate: Decimal; cell: Cell } | undefined {
  const cells = sub.flatMap(({ headings, row: week }) => week.cells.get(headings.findIndex(({ named }) => named?.role === 'rate')) ?? [])
  const rates = cells.map(({ text }) => amountOf(text))
  const [first] = rates
  return first !== undefined && cells.length === sub.length && rates.every((rate) => rate !== undefined && sameAmount(rate, first))
    ? { rate: first, cell: cells[0] as Cell }
    : undefined
}

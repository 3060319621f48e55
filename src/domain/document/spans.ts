import { addDays, dayOf, type IsoDate } from '../calendar.ts'
import type { LinePeriod, OfRow, Periods } from './linePeriod.ts'
import { OF_WHOLE_SPAN } from './linePeriod.ts'
import { stated } from './roles.ts'
import type { ByRole } from './rowKinds.ts'
import { countOf } from './values/amounts.ts'
import { mondayBefore, weekdayIndex, yearDatesIn } from './values/dates.ts'

/** A row of a span: its units are of each week or day of it where it says so, else of the whole span. */
export function ofSpan({ row, roles, numbers }: OfRow): Periods {
  const text = (role: Parameters<ByRole['of']>[0]) => row.texts.get(roles.of(role)[0] ?? -1) ?? ''
  const [first, last] = [yearDatesIn(text('startDate'))[0], yearDatesIn(text('endDate'))[0]]
  const units = countOf(numbers.units === undefined ? '' : (row.texts.get(numbers.units) ?? ''))
  if (first === undefined || last === undefined || units === undefined || last < first)
    return { periods: [], doubt: 'The row does not say its dates and its units.' }
  if (units === 0) return { periods: [] }
  const weeks = (dayOf(mondayBefore(last)) - dayOf(mondayBefore(first))) / 7 + 1
  const from = mondayBefore(first)
  const isOfWeek = text('per') === '' || /^(week|wk)$/i.test(text('per'))
  if (isOfWeek) {
    const periods = weeksOf({ row, roles }, { first, last, units })
    if (periods !== undefined) return { periods }
  }
  if (weeks === 1) return { periods: [{ grain: 'week', start: from, units, at: row.at, read: String(units) }] }
  return {
    periods: [{ grain: 'flight', start: first, end: last, units, at: row.at, read: String(units) }],
    doubt: OF_WHOLE_SPAN,
  }
}

/** Spots a week of a span that begins on a Monday, where they come to the units of the row in as many weeks as it says. */
function weeksOf(
  { row, roles }: Pick<OfRow, 'row' | 'roles'>,
  { first, last, units }: { first: IsoDate; last: IsoDate; units: number },
): LinePeriod[] | undefined {
  const count = (role: 'perWeek' | 'weekCount') => countOf(row.texts.get(roles.of(role)[0] ?? -1) ?? '')
  const [each, many] = [count('perWeek'), count('weekCount')]
  const weeks = (dayOf(mondayBefore(last)) - dayOf(mondayBefore(first))) / 7 + 1
  if (each === undefined || each * weeks !== units || (many !== undefined && many !== weeks)) return undefined
  // Where the span begins in mid-week, the row has to say its weeks.
  if (many === undefined && weekdayIndex(first) !== 0) return undefined
  return Array.from({ length: weeks }, (_, week) => ({
    grain: 'week' as const,
    start: addDays(mondayBefore(first), week * 7),
    units: each,
    at: row.at,
    read: String(each),
  }))
}

/** Spots a week of a row without dates air in the one flight that the document states, where it has as many weeks as the row. */
export function ofFlight(of: OfRow): Periods | undefined {
  const {
    row,
    roles,
    numbers,
    region,
    stated: { spans },
  } = of
  const [flight, ...others] = spans.filter(
    ({ first, last }, at) => spans.findIndex((each) => each.first === first && each.last === last) === at,
  )
  const units = stated(row, region, roles)
  if (flight === undefined || others.length > 0 || units === undefined || units === 0) return undefined
  const { first, last } = flight
  const said = countOf(numbers.units === undefined ? '' : (row.texts.get(numbers.units) ?? ''))
  if (said !== undefined && said !== units)
    return { periods: [], doubt: `The weeks of the row come to ${units} units, and it states ${said}.` }
  const weeks = weeksOf(of, { first, last, units })
  if (weeks !== undefined) return { periods: weeks }
  return { periods: [{ grain: 'flight', start: first, end: last, units, at: row.at, read: String(units) }], doubt: OF_WHOLE_SPAN }
}

export function ofRange(of: OfRow, text: string): Periods {
  const { row, numbers } = of
  const [first, last = first] = yearDatesIn(text)
  const units = countOf(numbers.units === undefined ? '' : (row.texts.get(numbers.units) ?? ''))
  if (first === undefined || last === undefined || units === undefined)
    return { periods: [], doubt: 'The row does not say its dates and its units.' }
  if (units === 0) return { periods: [] }
  if (first === last && weekdayIndex(first) === 0 && /w(ee)?k of/i.test(text))
    return { periods: [{ grain: 'week', start: first, units, at: row.at, read: String(units) }] }
  if (mondayBefore(first) === mondayBefore(last) && first !== last)
    return { periods: [{ grain: 'week', start: mondayBefore(first), units, at: row.at, read: String(units) }] }
  const weeks = weeksOf(of, { first, last, units })
  if (weeks !== undefined) return { periods: weeks }
  return {
    periods: [{ grain: 'flight', start: first, end: last, units, at: row.at, read: String(units) }],
    doubt: OF_WHOLE_SPAN,
  }
}

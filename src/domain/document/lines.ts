import type { Weekday } from '../../contract/vocabulary.ts'
import { addDays, dayOf, type IsoDate } from '../calendar.ts'
import { type Decimal, sameAmount } from '../decimal.ts'
import type { Cell } from './cells.ts'
import { overlaps } from './cells.ts'
import type { Basis } from './headings/vocabulary.ts'
import type { Region } from './regions.ts'
import type { NumberRoles } from './roles.ts'
import { type ByRole, columnsByRole, type ReadRow } from './rows.ts'
import { airtimeOf, daysOf, windowBetween } from './values/airtime.ts'
import { amountOf, countOf, secondsOf } from './values/amounts.ts'
import { isoOf, mondayBefore, weekdayIndex, writtenDate, yearDatesIn } from './values/dates.ts'

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

export interface LinePeriod {
  readonly grain: 'week' | 'day' | 'flight'
  readonly start: IsoDate
  readonly end?: IsoDate | undefined
  readonly units: number
  readonly at: string
  readonly read: string
}

/** What holds for all lines of a document or of a table unless a row says otherwise. */
export interface Stated {
  readonly length: number | undefined
  readonly region: number
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

interface OfRow {
  readonly region: Region
  readonly row: ReadRow
  /** The row that names what airs: the row itself, or a title above the rows of its weeks. */
  readonly described: ReadRow
  readonly roles: ByRole
  readonly numbers: NumberRoles
  readonly network: string | undefined
  readonly length: { readonly seconds: number | undefined; readonly cell: Cell | undefined } | undefined
  readonly stated: Stated
}

function lineOf(of: OfRow): OrderLine {
  const { region, row, described, roles, numbers, network, length, stated } = of
  const doubts: string[] = row.torn === undefined ? [] : [row.torn]
  const { periods, doubt } = periodsOf(of)
  if (doubt !== undefined) doubts.push(doubt)
  if (region.fault !== undefined) doubts.push(region.fault.message)
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
    network: network ?? (region.title === '' ? undefined : undefined),
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
  const marks = roles.weekdays.length > 0 ? undefined : undefined
  const [start, end] = [roles.of('start')[0], roles.of('end')[0]].map((column) =>
    column === undefined ? undefined : row.texts.get(column),
  )
  const own = start !== undefined && end !== undefined ? windowBetween(start, end) : undefined
  const window = own ?? parsed.find((of) => of.start !== undefined)
  const program = roles
    .of('program')
    .flatMap((column) => row.texts.get(column) ?? [])
    .map((text) => airtimeOf(text).rest || text)[0]
  return {
    days: marks ?? parsed.find((of) => of.days !== undefined)?.days,
    start: window?.start,
    end: window?.end,
    program: program ?? parsed.find((of) => of.rest !== '')?.rest,
  }
}

interface Periods {
  readonly periods: readonly LinePeriod[]
  readonly doubt?: string | undefined
}

/** Returns the weeks or days of a row, by the form of its table. */
function periodsOf(of: OfRow): Periods {
  const { region, row, roles, numbers } = of
  if (row.weeks.length > 0) return ofSubrows(row.weeks, of)
  if (region.dates.size > 0) return ofDates(of)
  if (roles.weekdays.length > 0) return ofWeekdays(of)
  if (roles.of('weekOf').length > 0) return ofWeek(of, roles.of('weekOf')[0] as number, numbers.units)
  if (roles.of('startDate').length > 0) return ofSpan(of)
  if (roles.of('dates').length > 0) return ofRange(of, row.texts.get(roles.of('dates')[0] as number) ?? '')
  return { periods: [], doubt: 'The row states no week.' }
}

function ofDates({ region, row }: OfRow): Periods {
  const periods: LinePeriod[] = []
  let doubt: string | undefined
  for (const [column, { grain, start }] of region.dates) {
    const cell = row.cells.get(column)
    if (cell === undefined || /^[-–—.]$/.test(cell.text)) continue
    const units = countOf(cell.text)
    if (units === undefined) doubt ??= `"${cell.text}" is no number of units`
    else if (units > 0) periods.push({ grain, start, units, at: cell.at, read: cell.text })
  }
  return { periods, doubt }
}

/** A row for each week, with the units of each day below the weekdays; or marks of days, with a span and spots a week. */
function ofWeekdays(of: OfRow): Periods {
  const { row, roles } = of
  const marks = roles.weekdays.map((column) => row.cells.get(column)?.text ?? '')
  if (roles.of('perWeek').length > 0) return ofWeeksTimesSpots(of, marks)
  const column = [...roles.of('dates'), ...roles.of('weekOf')][0]
  const [date] = yearDatesIn(column === undefined ? '' : (row.texts.get(column) ?? ''))
  if (date === undefined) return { periods: [], doubt: 'The row does not say its week.' }
  if (weekdayIndex(date) !== 0) return { periods: [], doubt: `${date} is no Monday, so the days of its week are not certain.` }
  const counts = marks.map((mark) => (mark === '' || /^[-–—.]$/.test(mark) ? 0 : countOf(mark)))
  if (counts.includes(undefined)) return { periods: [], doubt: 'A number of units cannot be read.' }
  const periods = counts.flatMap((units, day): LinePeriod[] =>
    units === undefined || units === 0 ? [] : [{ grain: 'day', start: addDays(date, day), units, at: row.at, read: marks[day] as string }],
  )
  return { periods }
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

/** A row of a span: its units are of each week or day of it where it says so, else of the whole span. */
function ofSpan({ row, roles, numbers }: OfRow): Periods {
  const text = (role: Parameters<ByRole['of']>[0]) => row.texts.get(roles.of(role)[0] ?? -1) ?? ''
  const [first, last] = [yearDatesIn(text('startDate'))[0], yearDatesIn(text('endDate'))[0]]
  const units = countOf(numbers.units === undefined ? '' : (row.texts.get(numbers.units) ?? ''))
  if (first === undefined || last === undefined || units === undefined || last < first)
    return { periods: [], doubt: 'The row does not say its dates and its units.' }
  if (units === 0) return { periods: [] }
  const [each, many] = [countOf(text('perWeek')), countOf(text('weekCount'))]
  const weeks = (dayOf(mondayBefore(last)) - dayOf(mondayBefore(first))) / 7 + 1
  const from = mondayBefore(first)
  if (/^(week|wk)$/i.test(text('per')) && each !== undefined && many === weeks && each * weeks === units)
    return {
      periods: Array.from({ length: weeks }, (_, week) => ({
        grain: 'week' as const,
        start: addDays(from, week * 7),
        units: each,
        at: row.at,
        read: String(each),
      })),
    }
  if (weeks === 1) return { periods: [{ grain: 'week', start: from, units, at: row.at, read: String(units) }] }
  return {
    periods: [{ grain: 'flight', start: first, end: last, units, at: row.at, read: String(units) }],
    doubt: 'The units are of the whole span; the row does not say in which weeks they air.',
  }
}

function ofRange({ row, numbers }: OfRow, text: string): Periods {
  const [first, last = first] = yearDatesIn(text)
  const units = countOf(numbers.units === undefined ? '' : (row.texts.get(numbers.units) ?? ''))
  if (first === undefined || last === undefined || units === undefined)
    return { periods: [], doubt: 'The row does not say its dates and its units.' }
  if (units === 0) return { periods: [] }
  if (first === last && weekdayIndex(first) === 0 && /w(ee)?k of/i.test(text))
    return { periods: [{ grain: 'week', start: first, units, at: row.at, read: String(units) }] }
  if (mondayBefore(first) === mondayBefore(last) && first !== last)
    return { periods: [{ grain: 'week', start: mondayBefore(first), units, at: row.at, read: String(units) }] }
  return {
    periods: [{ grain: 'flight', start: first, end: last, units, at: row.at, read: String(units) }],
    doubt: 'The units are of the whole span; the row does not say in which weeks they air.',
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

/** Returns the price that the rows of the weeks below a line state, if they agree. */
export function subrowRate({ weeks: sub }: ReadRow): { rate: Decimal; cell: Cell } | undefined {
  const cells = sub.flatMap(({ headings, row: week }) => week.cells.get(headings.findIndex(({ named }) => named?.role === 'rate')) ?? [])
  const rates = cells.map(({ text }) => amountOf(text))
  const [first] = rates
  return first !== undefined && cells.length === sub.length && rates.every((rate) => rate !== undefined && sameAmount(rate, first))
    ? { rate: first, cell: cells[0] as Cell }
    : undefined
}

/**
 * Returns the length of each row: its own; or the one that its heading, its table or its document states for all. A length that is merged over
 * rows stands at their middle, so the rows that it is the middle of have it; where they do not come out whole, no row has one.
 */
function lengthsOf(
  region: Region,
  rows: readonly ReadRow[],
  roles: ByRole,
  stated: Stated,
): Map<number, { seconds: number | undefined; cell: Cell | undefined }> {
  const [column] = roles.of('length')
  const lines = rows.flatMap((row, at) => (row.kind === 'line' ? [at] : []))
  const lengths = new Map<number, { seconds: number | undefined; cell: Cell | undefined }>()
  if (column === undefined) {
    const seconds = region.headings.map(({ named }) => named?.seconds).find((of) => of !== undefined) ?? stated.length
    for (const at of lines) lengths.set(at, { seconds, cell: undefined })
    return lengths
  }
  const own = rows.map((row) => row.cells.get(column))
  const present = lines.filter((at) => own[at] !== undefined)
  if (present.length * 2 > lines.length && (present.length === lines.length || region.layout === 'page')) {
    // Where one row lacks its length, those of the others may have moved up or down.
    const isWhole = present.length === lines.length || new Set(present.map((at) => own[at]?.text)).size === 1
    for (const at of lines) lengths.set(at, { seconds: isWhole ? secondsOf(own[at]?.text ?? '') : undefined, cell: own[at] })
    return lengths
  }
  return region.layout === 'grid' ? carriedDown(lines, own) : centred(lines, rows, own)
}

function carriedDown(
  lines: readonly number[],
  own: readonly (Cell | undefined)[],
): Map<number, { seconds: number | undefined; cell: Cell | undefined }> {
  let last: Cell | undefined
  return new Map(
    lines.map((at) => {
      last = own[at] ?? last
      return [at, { seconds: secondsOf(last?.text ?? ''), cell: last }]
    }),
  )
}

function centred(
  lines: readonly number[],
  rows: readonly ReadRow[],
  own: readonly (Cell | undefined)[],
): Map<number, { seconds: number | undefined; cell: Cell | undefined }> {
  const labels = own.flatMap((cell) => (cell === undefined || secondsOf(cell.text) === undefined ? [] : [cell])).sort((a, b) => a.y - b.y)
  const heights = lines.map((at) => rows[at]?.row.y ?? 0)
  const pitch = heights.length > 1 ? Math.abs((heights.at(-1) as number) - (heights[0] as number)) / (heights.length - 1) : 10
  const result = new Map<number, { seconds: number | undefined; cell: Cell | undefined }>()
  let from = 0
  for (const label of labels) {
    const counts = lines.slice(from).map((_, index) => index + 1)
    const middle = (count: number) => ((heights[from] as number) + (heights[from + count - 1] as number)) / 2
    const fitting = counts.filter((count) => Math.abs(middle(count) - label.y) < pitch * 0.3)
    if (fitting.length !== 1) return new Map()
    const count = fitting[0] as number
    for (const at of lines.slice(from, from + count)) result.set(at, { seconds: secondsOf(label.text), cell: label })
    from += count
  }
  return from === lines.length ? result : new Map()
}

export { overlaps }

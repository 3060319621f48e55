import type { LineDoubt } from '../../contract/documentParse.ts'
import { sameAmount } from '../decimal.ts'
import { bookable, type UnreadPart } from './linePeriod.ts'
import type { LinePeriod, OrderLine } from './lines.ts'
import type { Equation } from './proof/index.ts'
import type { Choice } from './question.ts'
import { askable, questionId, questionsOf } from './questions.ts'
import type { DocumentReading, ReadLine, ReadTotal } from './reading.ts'
import type { OrderReading } from './readOrder.ts'
import { wordOf } from './readValue.ts'
import type { RefusalKind } from './refusals.ts'
import { type SpanWeek, weeksOfSpan } from './spanWeeks.ts'
import { CELL_CHARACTERS } from './table.ts'
import { readAmount, readSeconds } from './values/amounts.ts'

/** Returns an order's reading in the form of a document: one line a row and week or day, what may be wrong about it, and the totals that are stated. */
export function orderDocument(order: OrderReading): DocumentReading {
  if (order.refusal !== undefined)
    return { unreadable: REFUSED[order.refusal], kind: wordOf(order.refusal).replaceAll(' ', '_'), instead: INSTEAD[order.refusal] }
  const lines: ReadLine[] = []
  const doubts: LineDoubt[][] = []
  const places: { readonly line: number; readonly start: string | undefined; readonly span?: SpanWeek | undefined }[] = []
  const spread = new Set(order.questions.flatMap((question) => (question.choices.some(isSpread) ? question.lines : [])))
  order.lines.forEach((line, at) => {
    const own = doubtsOf(order, at)
    const push = (part: LinePeriod | UnreadPart, span?: SpanWeek) => {
      lines.push(readOf(line, part))
      doubts.push(own)
      places.push({ line: at, start: 'start' in part ? part.start : undefined, span })
    }
    // Units of a span are asked for each of its weeks.
    if (spread.has(at)) {
      for (const span of line.periods.flatMap(weeksOfSpan)) push(span.period, span)
      return
    }
    const parts: readonly (LinePeriod | UnreadPart)[] = [...line.periods, ...line.unread]
    // A row that states no units orders nothing; one whose units cannot be read is asked.
    for (const part of parts.length > 0 ? parts : own.length > 0 ? [{}] : []) push(part)
  })
  const totals = order.equations.filter((equation) => !isOfItself(equation, order.lines))
  const read = places.map(({ line, span }, at) => ({ line, read: lines[at] as ReadLine, span }))
  return {
    lines,
    doubts,
    totals: totals.flatMap((equation) => totalOf(equation, places) ?? []),
    questions: questionsOf(order, read),
    ignored: order.ignored.slice(0, IGNORED_SHOWN).map(({ row, at, reason }) => ({ row: row.slice(0, CELL_CHARACTERS), at, reason })),
    ...(order.headings === undefined ? {} : { headings: order.headings }),
    ...(order.family === undefined ? {} : { family: order.family }),
  }
}

function isSpread({ spread }: Choice): boolean {
  return spread !== undefined
}

/** The most rows that are listed as ignored; the others are of the same kinds. */
const IGNORED_SHOWN = 500

/** The units of a row of one period are stated once, and prove nothing. */
function isOfItself({ scope, of, at, lines: [place = -1], start }: Equation, lines: readonly OrderLine[]): boolean {
  const line = lines[place]
  if (scope !== 'row' || of !== 'units' || start !== undefined || line === undefined) return false
  const [period, ...others] = line.periods
  return others.length === 0 && (period === undefined || (period.at === at && period.read === line.stated.units?.text))
}

const REFUSED: Record<RefusalKind, string> = {
  image: 'its pages are images without text',
  prose: 'it orders in sentences, not in a table',
  'copy instruction': 'it is a copy instruction, which orders no airtime',
  log: 'it is a log of airings, not an order',
  invoice: 'it is an invoice, not an order',
  'no order': 'none of its tables has lines below headings that name airtime, units and prices',
}

function readOf(line: OrderLine, part: LinePeriod | UnreadPart): ReadLine {
  const { at, stated, terms } = line
  const value = (read: string | undefined, cell = at) => (read === undefined || read === '' ? undefined : { read, at: cell })
  const bought = line.product ?? line.program
  const window = line.start === undefined || line.end === undefined ? {} : { start: { read: line.start, at }, end: { read: line.end, at } }
  const members = {
    product: value(bought, stated.bought?.at),
    network: terms.network ?? value(line.network),
    spot_length: lengthOf(line) ?? terms.spot_length ?? value(line.length?.toFixed()),
    unit_cost: value(costOf(line) ?? (line.kind === 'bonus' ? '0' : undefined), stated.rate?.at),
    impressions_goal: terms.impressions_goal,
    cpm: terms.cpm,
    buy_type: terms.buy_type,
    market_class: terms.market_class,
    advertiser_class: terms.advertiser_class,
    clearance_tier: terms.clearance_tier,
    row: value(line.row),
    program: line.days === undefined && line.start === undefined && line.product !== undefined ? undefined : value(line.program),
    days: value(line.days?.join(' ')),
    basis: value(line.basis),
    kind: value(line.kind),
  }
  const stating = Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined)) as ReadLine
  return { ...stating, ...window, ...('grain' in part ? periodOf(part) : part) }
}

/** The words of the document, or what they come to where they are of its own kind, such as `$ -`. */
function costOf({ rate, stated }: OrderLine): string | undefined {
  const text = stated.rate?.text
  return rate === undefined || (text !== undefined && readAmount(text) !== undefined) ? text : rate.toFixed()
}

function lengthOf({ length, stated: { length: cell } }: OrderLine): { read: string; at: string } | undefined {
  if (cell === undefined) return undefined
  return { read: length === undefined || readSeconds(cell.text) === length ? cell.text : String(length), at: cell.at }
}

function periodOf({ grain, start, end, at, named, units, read }: LinePeriod): Pick<ReadLine, 'period' | 'units'> {
  const value = bookable({ grain, start })
  const period = named ?? { read: end === undefined ? start : `${start} - ${end}`, at }
  return { period: value === undefined ? period : { ...period, value }, units: { read: read === '' ? String(units) : read, at } }
}

const INSTEAD: Record<RefusalKind, string> = {
  image: 'Send the document as its program exports it, with text.',
  prose: 'Send a table with a row for each line: days, window, length, weeks with their units, and the price of a unit.',
  'copy instruction': 'Send it as traffic instructions of an order that is placed.',
  log: 'Send it as a file of delivery_posts in a drop.',
  invoice: 'Send the order; invoices are compared in the reconciliation.',
  'no order': 'Send a table with headings such as Program, Days, Time, Length, the weeks, Units and Rate.',
}

/** All that a confirm states of a line. */
const WHOLE = ['product_id', 'period', 'units', 'rate']

/** What a line may say wrong: a line in doubt is to be stated whole. A total that does not tie is acknowledged with the totals. */
function doubtsOf({ lines, stops, equations, questions }: OrderReading, at: number): LineDoubt[] {
  const line = lines[at] as OrderLine
  const own = new Map<string, LineDoubt>()
  const asked = askable({ questions })
  const doubted = (message: string, fields: readonly string[] = WHOLE) => {
    const question = asked.findIndex((each) => each.message === message && each.lines.includes(at) && each.choices.length > 0)
    const doubt = { message, ...(question < 0 ? {} : { question_id: questionId(question) }) }
    // A doubt that a question settles stands beside others of the same member.
    for (const field of fields) {
      const key = `${field} ${doubt.question_id ?? ''}`
      if (!own.has(key)) own.set(key, { field, ...doubt })
    }
  }
  for (const { message, fields } of line.doubts.filter(({ fields: some }) => some === undefined)) doubted(message, fields)
  for (const { message, fields } of line.doubts) doubted(message, fields)
  const said = new Set(line.doubts.map(({ message }) => message))
  for (const other of (stops[at] ?? []).filter((stop) => !said.has(stop) && !stop.startsWith('The document states'))) doubted(other)
  // A total of lines is no total of money or units that a confirm could acknowledge.
  if (equations.some(({ of, ties, lines: summed }) => of === 'lines' && !ties && summed.includes(at)))
    doubted('The document states another number of lines.')
  const place = (field: string) => (WHOLE.includes(field) ? WHOLE.indexOf(field) : WHOLE.length)
  return [...own.values()].sort((a, b) => place(a.field) - place(b.field))
}

/** Returns a total with the lines of the weeks that it sums; a count of lines, and a total in whole units of money, compare nothing exactly. */
function totalOf(
  { of, read, at, stated, ties, computed, fees, lines, start }: Equation,
  places: readonly { line: number; start: string | undefined }[],
): ReadTotal | undefined {
  if (of === 'lines' || (ties && !stated.eq(computed))) return undefined
  const summed = new Set(lines)
  const own = places.flatMap((place, index) => (summed.has(place.line) && (start === undefined || place.start === start) ? [index] : []))
  if (own.length === 0 && ties) return undefined
  return {
    of: of === 'cost' ? 'gross' : 'units',
    read,
    at,
    value: stated.toFixed(),
    ...(fees === undefined || sameAmount(fees, 0) ? {} : { fees: fees.toFixed() }),
    ...(own.length === places.length ? {} : { lines: own }),
  }
}

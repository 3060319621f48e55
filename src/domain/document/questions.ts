import type { OrderReading } from './conclude.ts'
import { headingKey } from './headings/sequences.ts'
import type { Choice, Question, Spread } from './question.ts'
import type { ReadChoice, ReadLine, ReadQuestion } from './reading.ts'
import { readPeriod } from './readPeriod.ts'
import { type SpanWeek, unitsOfWeek } from './spanWeeks.ts'

/** The line of the order that a line of the document is of, and its reading. */
export interface Place {
  readonly line: number
  readonly read: ReadLine
  /** The week of a span whose units it states. */
  readonly span?: SpanWeek | undefined
}

/** Returns the id of a question by its position. */
export function questionId(position: number): string {
  return `q_${position + 1}`
}

/** Returns the questions that a person can be asked, in the order of their ids; lines that only can be stated one by one are none. */
export function askable({ questions }: Pick<OrderReading, 'questions'>): Question[] {
  return questions.filter(({ kind }) => kind !== 'rows')
}

/** Returns the questions about a document with the lines of the document that wait, and what each answer makes of them. */
export function questionsOf(order: OrderReading, places: readonly Place[]): ReadQuestion[] {
  return askable(order).map(({ kind, message, at, lines, choices, label }): ReadQuestion => {
    const own = placesOf(lines, places)
    return {
      kind: kind === 'rows' ? 'row' : kind,
      message,
      at,
      lines: own,
      choices: choices.map((choice) => choiceOf(choice, own, { order, places })),
      ...(label === undefined || label === '' ? {} : { label }),
    }
  })
}

function placesOf(lines: readonly number[], places: readonly Place[]): number[] {
  const waiting = new Set(lines)
  return places.flatMap(({ line }, place) => (waiting.has(line) ? [place] : []))
}

interface Among {
  readonly order: OrderReading
  readonly places: readonly Place[]
}

function choiceOf(
  { choice, text, orders, rate, year, spread, periods }: Choice,
  own: readonly number[],
  { order, places }: Among,
): ReadChoice {
  if (spread !== undefined) return { choice, text, ...spreadOver(spread, own, places) }
  const read = own.flatMap((place): NonNullable<ReadChoice['read']>[number][] => {
    const { line, read: of } = places[place] as Place
    const cell = rate === undefined ? undefined : order.cellsOf?.(line)?.get(rate)
    if (cell !== undefined) return [{ place, unit_cost: { read: cell.text, at: cell.at } }]
    const period = of.period && (year === undefined ? periods?.get(headingKey(of.period)) : inYear(of.period.read, year))
    return period === undefined || of.period === undefined ? [] : [{ place, period: { ...of.period, value: period } }]
  })
  return { choice, text, ...(orders === undefined ? {} : { orders: placesOf(orders, places) }), ...(read.length === 0 ? {} : { read }) }
}

/** The units of each week of spans; a week without units is not ordered. */
function spreadOver(spread: Spread, own: readonly number[], places: readonly Place[]): Pick<ReadChoice, 'orders' | 'read'> {
  const weeks = own.flatMap((place) => {
    const { span, read } = places[place] as Place
    if (span === undefined) return []
    const units = unitsOfWeek(span.period.units, span, spread)
    return [{ place, units: { read: String(units), at: read.units?.at ?? span.period.at } }]
  })
  const read = weeks.filter(({ units }) => units.read !== '0')
  return { read, ...(read.length === weeks.length ? {} : { orders: read.map(({ place }) => place) }) }
}

/** Reads the week that begins on a date without a year, in a year. */
function inYear(text: string, year: number) {
  return (
    readPeriod(`${text}, ${year}`, { anchor: () => `${year}-01-01`, grain: 'week' }) ??
    readPeriod(`${text}/${year}`, { anchor: () => `${year}-01-01`, grain: 'week' })
  )
}

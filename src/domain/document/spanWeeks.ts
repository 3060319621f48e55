import { LINES_PER_ORDER } from '../../contract/vocabulary/bounds.ts'
import { addDays, dayOf } from '../calendar.ts'
import { type LinePeriod, OF_WHOLE_SPAN } from './linePeriod.ts'
import type { OrderLine } from './lines.ts'
import type { Choice, Question, Spread } from './question.ts'
import { mondayBefore } from './values/dates.ts'

/** A week of a span: its place among them. */
export interface SpanWeek {
  readonly period: LinePeriod
  readonly week: number
  readonly weeks: number
}

/** Returns the weeks that a span touches, each still with the units of all. */
export function weeksOfSpan(span: LinePeriod): SpanWeek[] {
  const [first, last] = [mondayBefore(span.start), mondayBefore(span.end ?? span.start)]
  const weeks = (dayOf(last) - dayOf(first)) / 7 + 1
  return Array.from({ length: weeks }, (_, week) => {
    const named = span.named ?? { read: `${span.start} - ${span.end ?? span.start}`, at: span.at }
    const { end: _whole, ...own } = span
    return { week, weeks, period: { ...own, grain: 'week' as const, start: addDays(first, week * 7), named } }
  })
}

/** Returns the units of one of the weeks of a span. */
export function unitsOfWeek(units: number, { week, weeks }: Pick<SpanWeek, 'week' | 'weeks'>, spread: Spread): number {
  return spread === 'each_week' ? units : Math.floor(units / weeks) + (week < units % weeks ? 1 : 0)
}

/** Asks once in which weeks units of spans air; nothing if the document would have too many lines then, or no such span. */
export function spanQuestion(lines: readonly OrderLine[]): Question[] {
  const spans = lines.flatMap(({ periods, doubts }, place) => {
    const [span, ...others] = periods
    const isAsked = others.length === 0 && span?.grain === 'flight' && doubts.some(({ message }) => message === OF_WHOLE_SPAN)
    return isAsked ? [{ place, span, weeks: weeksOfSpan(span).length }] : []
  })
  const more = spans.reduce((sum, { weeks }) => sum + weeks - 1, 0)
  if (spans.length === 0 || lines.length + more > LINES_PER_ORDER) return []
  const { span } = spans[0] as (typeof spans)[number]
  return [{ kind: 'weeks', message: OF_WHOLE_SPAN, at: span.at, lines: spans.map(({ place }) => place), choices: CHOICES, label: 'span' }]
}

const CHOICES: readonly Choice[] = [
  {
    choice: 'evenly',
    text: 'They are spread evenly over the weeks of the span; the first weeks take what is left over.',
    spread: 'evenly',
  },
  { choice: 'each_week', text: 'So many air in each week of the span.', spread: 'each_week' },
]

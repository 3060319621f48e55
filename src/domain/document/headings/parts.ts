import { monthOf, type WrittenDate } from '../values/dates.ts'
import { daysOf } from '../values/weekdays.ts'
import type { Heading } from './compose.ts'
import { dateIn } from './headingDate.ts'
import { weekNumber } from './weekNumbers.ts'

/** What a heading says of its date. */
export interface Parts {
  readonly date?: WrittenDate | undefined
  /** The date with the day before the month. */
  readonly turned?: WrittenDate | undefined
  /** A week by its number, or a month, as the heading names it. */
  readonly whole?: string | undefined
  /** The number of a week alone, of the calendar or of the flight. */
  readonly number?: number | undefined
  /** The year of a month above a day. */
  readonly year?: number | undefined
  /** The day of a month that stands below a month or a weekday. */
  readonly day?: number | undefined
  readonly month?: number | undefined
  /** The weekdays that a letter may mean. */
  readonly weekday?: number | undefined
}

/** Returns the parts of a date that a heading names: `6/3`, `3-Jun`, `[6/3]`, `JUN` over `03`, `W` over `5`; of a start over an end, the start. */
export function partsOf({ tokens, groups, named }: Heading): Parts | undefined {
  if (named !== undefined && named.role !== 'row') return undefined
  const texts = tokens.map(({ text }) => text)
  const [only = ''] = texts
  // A text of a grid is one cell; words of a page may be a part of one.
  if (texts.length === 1 && groups.every(({ text }) => monthOf(text) === undefined) && tokens[0]?.size === 1 && isWhole(only))
    return { whole: only }
  const number = texts.length === 1 ? weekNumber(only) : undefined
  if (number !== undefined) return { number }
  // Words below a date are the heading; the date above them is of the head of the page.
  const bottom = texts.at(-1) ?? ''
  if (dateIn(bottom) === undefined && !/^\d{1,2}$/.test(bottom) && !(texts.length === 2 && daysOf(bottom)?.length === 1)) return undefined
  if (texts.some((text) => /^((start|end|from|to) )?date$|^(start|end)$/i.test(text))) return undefined
  for (const text of texts) {
    const found = dateIn(text)
    if (found !== undefined) return found
  }
  const day = texts.findLast((text) => /^\d{1,2}$/.test(text))
  const above = [...texts, ...groups.map(({ text }) => text)]
  const months = above.flatMap((text) => monthOf(withoutYear(text)) ?? [])
  const year = above.flatMap((text) => /^[A-Za-z]{3,9}\.?[\s,]+(\d{4})$/.exec(text)?.[1] ?? [])[0]
  const weekday = texts.flatMap((text) => (text.length <= 3 ? (daysOf(text) ?? []) : []))
  if (day === undefined || (months.length === 0 && weekday.length !== 1)) return undefined
  const letter = texts.find((text) => daysOf(text)?.length === 1)
  const own = { day: Number(day), month: months[0], weekday: letter === undefined ? undefined : letterIndex(letter) }
  return year === undefined ? own : { ...own, year: Number(year) }
}

function isWhole(text: string): boolean {
  return /^(\d{4}-?)?W\d{2}$/i.test(text) || /^\d{4}-\d{2}$/.test(text) || monthOf(withoutYear(text)) !== undefined
}

/** Returns `Jun` of `Jun 2027` and of `Jun, '27`. */
function withoutYear(text: string): string {
  return /^([^\s,]+)[\s,]+(?:'?\d{4}|'\d{2})$/.exec(text)?.[1] ?? text
}

/** A letter that may be two days, such as T or S, fits either. */
function letterIndex(letter: string): number | undefined {
  const index = ['m', 'tu', 'w', 'th', 'f', 'sa', 'su'].indexOf(letter.toLowerCase().slice(0, 2))
  if (index >= 0) return index
  return { r: 3, u: 6 }[letter.toLowerCase()]
}

/** Returns the positions of the columns whose headings name a date. */
export function datedHeadings(headings: readonly Heading[]): number[] {
  // Months are columns of units only beside the words of a list; elsewhere they stand above their weeks.
  const isList = headings.some(({ named }) => named?.role === 'program' || named?.role === 'product' || named?.role === 'daypart')
  const dated: number[] = []
  headings.forEach((heading, at) => {
    const parts = partsOf(heading)
    const isWholeOfList = parts?.whole === undefined || isList
    // A month is written once, over the first of its days.
    const before = headings[at - 1]
    const isNext = before !== undefined && dated.at(-1) === at - 1 && isDayBeside(heading, before)
    if ((parts !== undefined && isWholeOfList) || isNext) dated.push(at)
  })
  // A month may stand over the middle of its days.
  for (let first = dated[0]; first !== undefined && first > 0; first = dated[0]) {
    if (!isDayBeside(headings[first - 1] as Heading, headings[first] as Heading)) break
    dated.unshift(first - 1)
  }
  // A month beside dates is the sum of its weeks.
  const isWholeAlone = dated.every((at) => partsOf(headings[at] as Heading)?.whole !== undefined)
  return isWholeAlone ? dated : dated.filter((at) => partsOf(headings[at] as Heading)?.whole === undefined)
}

/** Returns true for a day alone that stands in the row of the day of a heading beside it. */
function isDayBeside(heading: Heading, other: Heading): boolean {
  const [own, day] = [heading.tokens[0], other.tokens.findLast(({ text }) => /^\d{1,2}$/.test(text))]
  const isOfDay = partsOf(other)?.day !== undefined || dayAlone(other) !== undefined
  if (own === undefined || day === undefined || dayAlone(heading) === undefined || !isOfDay) return false
  return Math.abs(own.y - day.y) <= own.size * SAME_ROW
}

const SAME_ROW = 0.3

/** Returns the day of a heading that names nothing else. */
export function dayAlone({ tokens: [token, ...others], named }: Heading): number | undefined {
  const isDay = token !== undefined && others.length === 0 && /^\d{1,2}$/.test(token.text)
  return isDay && (named === undefined || named.role === 'row') ? Number(token.text) : undefined
}

/** Returns true for a heading that names a month or a week by its number, and may stand above days or weeks of it. */
export function namesWhole(heading: Heading): boolean {
  return partsOf(heading)?.whole !== undefined
}

import type { Weekday } from '../../../contract/vocabulary.ts'
import { daysOf } from './weekdays.ts'

/** Days and a window of the broadcast day, as a cell states them; a part that it does not state is absent. */
export interface Airtime {
  readonly days?: readonly Weekday[] | undefined
  /** `06:00` to `30:00`: what is after midnight at the end of a broadcast day counts on. */
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** What the text says beside days and window, such as the program. */
  readonly rest: string
}

/** Two clocks; a zone of two or three letters may stand before the first. */
const WINDOW =
  /(?<![\d/$.])(?:[A-Z]{2,3}(?=\d))?(\d{1,2})(?::?(\d{2}))?\s?(am?|pm?|n|m)?\s?(?:-|–|to)\s?(\d{1,2})(?::?(\d{2}))?\s?(am?|pm?|n|m)?(?![\d/])/i

/**
 * Reads days and a window from a cell: `M-F 6a-7a`, `WThF  1:00p- 2:00p`, `M-F: News 7pm-8pm`, `CT4:00-7:00p`. A cell with two windows, such as
 * `M-F 6a-7a and Sat-Sun 8p-9p`, states none that a line could have.
 */
export function airtimeOf(written: string): Airtime {
  // The start may stand over the end.
  const text = written.replace(/\b(\d{3,4}[ap]m?)\s+(\d{3,4}[ap]m?)\b/i, '$1-$2')
  const found = text.length > 120 ? null : WINDOW.exec(text)
  const second = found === null ? null : WINDOW.exec(text.slice(found.index + found[0].length))
  if (found !== null && second !== null && windowOf(second.slice(1)) !== undefined)
    return ofTitle(text, found, second) ?? { rest: unmarked(text) }
  const window = found === null ? undefined : windowOf(found.slice(1))
  const without =
    found === null || window === undefined ? text : `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`
  const named = /^\s*\(?([A-Za-z][A-Za-z ,/-]*?)\)?\s*(?=$|[:)]|\s)/.exec(without)
  const beside = found === null || window === undefined ? undefined : daysBeside(text.slice(0, found.index))
  if (found !== null && window !== undefined && beside !== undefined)
    return { days: beside.days, ...window, rest: unmarked(`${beside.rest} ${text.slice(found.index + found[0].length)}`) }
  const wholeDays = daysOf(without.trim())
  const leading = wholeDays === undefined && named !== null ? leadingDays(without) : undefined
  return {
    ...((wholeDays ?? leading?.days) ? { days: wholeDays ?? leading?.days } : {}),
    ...window,
    rest: wholeDays !== undefined ? '' : unmarked(leading?.rest ?? without),
  }
}

/** Days right in front of a window, behind the words of a title: `Sat Night Live Sa-Su` of `Sat Night Live Sa-Su 6p-7p`. */
function daysBeside(before: string): { days: readonly Weekday[]; rest: string } | undefined {
  const words = before.trim().split(/\s+/)
  const [rest, word = ''] = [words.slice(0, -1).join(' '), words.at(-1)]
  if (!/[A-Za-z]{3}/.test(rest) || daysOf(rest) !== undefined) return undefined
  const isNamed = /^[A-Za-z]{1,3}-[A-Za-z]{1,3}$|^(?:M|Tu|W|Th|F|Sa|Su){2,}$|^(?:Sa|Su|Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/.test(word)
  const days = isNamed ? daysOf(word) : undefined
  return days && { days, rest }
}

/** A title may have a window in it, in front of the days and the window of its line: `News 10p-1035p TuTh 4p-6p`. */
function ofTitle(text: string, first: RegExpExecArray, second: RegExpExecArray): Airtime | undefined {
  const from = first.index + first[0].length
  const between = text.slice(from, from + second.index)
  const [days, window] = [daysOf(between.trim()), windowOf(second.slice(1))]
  const isTitle = /[A-Za-z]{3}/.test(text.slice(0, first.index)) && airtimeOf(text.slice(0, first.index).trim()).days === undefined
  return days === undefined || window === undefined || !isTitle ? undefined : { days, ...window, rest: unmarked(text.slice(0, from)) }
}

/** Returns true if a text says one window or more. */
export function saysWindow(text: string): boolean {
  if (text.length > 120) return false
  for (let rest = text, found = WINDOW.exec(rest); found !== null; found = WINDOW.exec(rest)) {
    if (windowOf(found.slice(1)) !== undefined) return true
    rest = rest.slice(found.index + found[0].length)
  }
  return false
}

/** Returns a text without the marks and spaces at its ends. */
function unmarked(text: string): string {
  const plain = text.replace(/\s+/g, ' ')
  const isMark = (at: number) => ' :;,-'.includes(plain[at] as string)
  let [from, to] = [0, plain.length]
  while (from < to && isMark(from)) from += 1
  while (to > from && isMark(to - 1)) to -= 1
  return plain.slice(from, to)
}

/** Reads days at the front of a text, with what follows: `(M-F) Noon News`, `M-F: News`. */
function leadingDays(text: string): { days: readonly Weekday[]; rest: string } | undefined {
  const [, inside, after] = /^\s*\(([^()]{1,24})\)(.*)$/.exec(text) ?? []
  if (inside !== undefined) {
    const days = daysOf(inside)
    return days && { days, rest: after ?? '' }
  }
  const [, first, rest] = /^([A-Za-z/-]{1,20}):? (.*)$/.exec(text.trim()) ?? []
  // A single letter, a short word or the name of one day in front of a title is a part of the title.
  const isNamed = first !== undefined && /^(mon|tues|wednes|thurs|fri|satur|sun)day$/i.test(first) && !/^\S+:/.test(text.trim())
  const days = first === undefined || isNamed || (first.length < 3 && !/^(Sa|Su|Tu|Th)$/.test(first)) ? undefined : daysOf(first)
  return days && { days, rest: rest ?? '' }
}

/** Reads a window of two clocks; the first takes its half of the day from the second where it has none: `6-7A`, `10-1130P`, `12n-1p`. */
function windowOf([h1 = '', m1, s1, h2 = '', m2, s2]: readonly (string | undefined)[]): { start: string; end: string } | undefined {
  const [a, b] = [clockDigits(h1, m1), clockDigits(h2, m2)]
  if (a === undefined || b === undefined) return undefined
  const isOfDay = s1 === undefined && s2 === undefined
  if (isOfDay && !(m1 !== undefined && m2 !== undefined && h1.length === 2)) return undefined
  if (isOfDay) return inBroadcastDay(a, b)
  const until = halfOf(s2 ?? s1)
  const end = minutes(b, until)
  if (end === undefined) return undefined
  const own = s1 === undefined ? undefined : minutes(a, halfOf(s1))
  // The later of both halves: a window up to midnight, `9-12A`, begins in the evening.
  const guessed = [minutes(a, until), minutes(a, until === 'pm' ? 'am' : 'pm')]
    .flatMap((at) => (at !== undefined && at < (end === 0 ? 1440 : end) ? [at] : []))
    .sort((one, other) => other - one)
  // `11:30-1:00a` begins in the evening before.
  const isOvernight = guessed.length === 0 && until === 'am' && end > 0 && end < BEGINS && a[0] >= 9 && a[0] < 12
  const start = own ?? (s1 === undefined ? (isOvernight ? minutes(a, 'pm') : guessed[0]) : undefined)
  return start === undefined ? undefined : inBroadcastDay(start, end)
}

/** Reads `6`, `10:30` or `1130` as hour and minute. */
function clockDigits(hour: string, minute: string | undefined): [number, number] | undefined {
  const [h, m] = [Number(hour), Number(minute ?? 0)]
  return h <= 30 && m < 60 ? [h, m] : undefined
}

type Half = 'am' | 'pm' | 'noon' | undefined

function halfOf(suffix: string | undefined): Half {
  const letter = suffix?.[0]?.toLowerCase()
  if (letter === 'n') return 'noon'
  if (letter === 'm') return 'am'
  return letter === 'a' ? 'am' : letter === 'p' ? 'pm' : undefined
}

function minutes([hour, minute]: readonly [number, number], half: Half): number | undefined {
  if (half === undefined) return hour * 60 + minute
  if (hour < 1 || hour > 12) return undefined
  if (half === 'noon') return hour === 12 ? 720 + minute : undefined
  return ((hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute
}

/** Places a window in the day from 06:00 to 30:00. */
function inBroadcastDay(
  start: readonly [number, number] | number,
  end: readonly [number, number] | number,
): { start: string; end: string } | undefined {
  let from = typeof start === 'number' ? start : start[0] * 60 + start[1]
  let to = typeof end === 'number' ? end : end[0] * 60 + end[1]
  if (from < BEGINS && to <= BEGINS && from < to) from += 1440
  if (to <= from) to += 1440
  if (to <= from || to > BEGINS + 1440 || from >= BEGINS + 1440) return undefined
  return { start: clock(from), end: clock(to) }
}

const BEGINS = 360

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** Reads one clock of a column of its own: `7:00 PM`, `24:00`, `0600A`. */
export function clockOf(text: string): { readonly minute: number; readonly half: boolean } | undefined {
  const [, hour = '', minute, suffix] = /^(\d{1,2}):?(\d{2})?(?::00)?\s?(am?|pm?|n|m)?$/i.exec(text.trim()) ?? []
  const digits = hour === '' || (minute === undefined && suffix === undefined) ? undefined : clockDigits(hour, minute)
  const at = digits && minutes(digits, halfOf(suffix))
  return at === undefined ? undefined : { minute: at, half: suffix !== undefined }
}

/** Returns the window between two clocks of columns of their own. */
export function windowBetween(start: string, end: string): { start: string; end: string } | undefined {
  const [from, to] = [clockOf(start), clockOf(end)]
  return from === undefined || to === undefined || from.half !== to.half ? undefined : inBroadcastDay(from.minute, to.minute)
}

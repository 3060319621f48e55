import { type IsoDate, weekdayOf } from '../calendar.ts'
import type { AirWindow } from './describeOrder.ts'

/** The times of a detail line as HH:MM:00. `windows` lists the windows that one pair of times cannot express. */
export interface AirTime {
  start: string
  end: string
  windows?: string
}

/** A whole broadcast day. Times end before 24:00, and an end that equals its start would be an empty window. */
const WHOLE_DAY = { start: '06:00:00', end: '05:59:00' }
const DAY_MINUTES = 1_440

/** Returns the windows in which a product airs on some dates; all of its windows if none covers them. */
export function windowsOn(windows: readonly AirWindow[], dates: readonly IsoDate[]): readonly AirWindow[] {
  const days = new Set(dates.map(weekdayOf))
  const covering = windows.filter(({ days: named, date }) =>
    date === undefined ? (named ?? []).some((day) => days.has(day)) : dates.includes(date),
  )
  return covering.length > 0 ? covering : windows
}

/** Returns the pair of times that all windows share, or else the span from the first start to the last end. */
export function airTimeOf(windows: readonly AirWindow[]): AirTime {
  const [first] = windows
  if (first === undefined) return WHOLE_DAY
  const alike = windows.every(({ start, end }) => start === first.start && end === first.end)
  if (alike && first.start !== first.end) return { start: `${first.start}:00`, end: `${first.end}:00` }
  return { ...spanOf(windows), windows: windows.map(windowText).join('; ') }
}

function spanOf(windows: readonly AirWindow[]): Pick<AirTime, 'start' | 'end'> {
  const starts = windows.map(({ start }) => minutesOf(start))
  const ends = windows.map(({ start, end }) => minutesOf(end) + (end <= start ? DAY_MINUTES : 0))
  const from = Math.min(...starts)
  const to = Math.max(...ends)
  return to - from >= DAY_MINUTES ? WHOLE_DAY : { start: timeText(from), end: timeText(to % DAY_MINUTES) }
}

function windowText({ days, date, start, end }: AirWindow): string {
  return `${date ?? days?.join(',') ?? ''} ${start}-${end}`
}

function minutesOf(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

function timeText(minutes: number): string {
  const two = (figure: number) => String(figure).padStart(2, '0')
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`
}

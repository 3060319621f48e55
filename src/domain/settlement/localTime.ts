import { dayOf, type IsoDate } from '../calendar.ts'

/**
 * A time on the product's clock, in seconds since 1970-01-01 00:00 on that clock. It has no time zone, so every day has 24 hours.
 */
export type LocalTime = number

export const DAY_SECONDS = 86_400
/** A broadcast day lasts from 06:00 to 05:59 of the next date. */
const BROADCAST_DAY_STARTS = 6 * 3_600

/** Returns the time HH:MM[:SS] of a date. Hours from 24 on belong to the next date. */
export function localTime(date: IsoDate, time: string): LocalTime {
  return dayOf(date) * DAY_SECONDS + secondsOf(time)
}

/** Returns the day number of the broadcast day that contains a time. */
export function broadcastDayOf(at: LocalTime): number {
  return Math.floor((at - BROADCAST_DAY_STARTS) / DAY_SECONDS)
}

export function startOfBroadcastDay(day: number): LocalTime {
  return day * DAY_SECONDS + BROADCAST_DAY_STARTS
}

/** Returns a number that the days of one broadcast week, Monday to Sunday, share. */
export function weekOfDay(day: number): number {
  return Math.floor((day + 3) / 7)
}

/** Returns the seconds of HH:MM[:SS]. */
export function secondsOf(time: string): number {
  return twoDigits(time, 0) * 3_600 + twoDigits(time, 3) * 60 + (time.length > 6 ? twoDigits(time, 6) : 0)
}

/** Parses two digits by their character codes, since making a text for each pair in millions of times costs more. */
function twoDigits(time: string, from: number): number {
  return time.charCodeAt(from) * 10 + time.charCodeAt(from + 1) - 528
}

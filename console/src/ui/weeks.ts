import { mondayOf } from './Period.tsx'

const DAY_MS = 86_400_000

/** Returns the ISO week of an instant in UTC: `2027-W06`. */
export function weekOf(ms: number): string {
  const thursday = new Date(ms)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}

/** Returns `count` consecutive ISO weeks, beginning with the week of an instant. */
export function weeksFrom(ms: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => weekOf(ms + index * 7 * DAY_MS))
}

/** Returns the week that is `count` weeks later. */
export function weekAfter(week: string, count: number): string {
  const monday = mondayOf(week)
  return monday === undefined ? week : weekOf(monday.getTime() + count * 7 * DAY_MS)
}

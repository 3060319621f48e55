/** The zeros of the date systems of workbooks, from which a time of day counts. */
const ZEROS = [Date.UTC(1899, 11, 31), Date.UTC(1904, 0, 1)]
const DAY = 86_400_000

/** Returns a date cell of a workbook to the second: times are stored as fractions of a day. */
export function toSecond(cell: Date): Date {
  return new Date(Math.round(cell.getTime() / 1_000) * 1_000)
}

/** Returns the time of a date cell as `HH:MM:SS`; those of a broadcast day run to 29:59. Undefined for a date, which is two days or more after zero. */
export function timeOfCell(cell: Date): string | undefined {
  const at = toSecond(cell).getTime()
  const zero = ZEROS.find((one) => at >= one && at < one + 2 * DAY)
  if (zero === undefined) return undefined
  const seconds = (at - zero) / 1_000
  return [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
}

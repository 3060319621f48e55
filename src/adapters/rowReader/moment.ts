/** A date, a time of day or both, as a typed format has it. */
export class Moment {
  /** YYYY-MM-DD; undefined for a time of day. */
  readonly date: string | undefined
  /** HH:MM:SS, up to 47:59:59, with a fraction if there is one; undefined for a date alone. */
  readonly time: string | undefined
  /** The moment in UTC as the format states it; undefined for a local date or time. */
  readonly utc: string | undefined
  /** Whether date and time are those of a place. Those of a moment whose place is not stated are in UTC. */
  readonly isLocal: boolean

  constructor({ date, time, utc, isLocal = true }: { date?: string; time?: string; utc?: string; isLocal?: boolean }) {
    this.date = date
    this.time = time
    this.utc = utc
    this.isLocal = isLocal
  }

  /** The text for messages. */
  get shown(): string {
    return [this.date, this.time].filter((part) => part !== undefined).join(' ')
  }
}

export const INVALID_MOMENT = 'an invalid date'

/** Splits a date that counts in UTC into its text parts; undefined if it is none of the years 0 to 9999. */
export function partsOf(date: Date): { date: string; time: string } | undefined {
  const stamp = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  if (!/^\d{4}-/.test(stamp)) return undefined
  const [day = '', time = ''] = stamp.slice(0, -1).split('T')
  return { date: day, time: time.replace('.000', '') }
}

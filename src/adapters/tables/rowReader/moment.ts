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

/** Returns a function that splits a moment into the date and the time of a zone; undefined for a zone that is not known. */
export function localPartsIn(zone: string): ((at: Date) => ReturnType<typeof partsOf>) | undefined {
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? []
  if (sign !== undefined) {
    const milliseconds = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1)
    return (at) => partsOf(new Date(at.getTime() + milliseconds))
  }
  try {
    // Swedish writes dates and times as ISO 8601 does.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    return (at) => (partsOf(at) === undefined ? undefined : partsOf(new Date(`${format.format(at).replace(' ', 'T')}Z`)))
  } catch {
    return undefined
  }
}

const OFFSET = /^([+-])(\d\d):(\d\d)$/

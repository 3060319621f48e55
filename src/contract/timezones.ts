const CANONICAL: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'))

/** Returns true for a time zone of the IANA database, including aliases such as US/Eastern; offsets are not time zones. */
export function isTimezone(name: string): boolean {
  if (CANONICAL.has(name)) return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

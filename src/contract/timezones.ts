const CANONICAL: ReadonlySet<string> = new Set(Intl.supportedValuesOf('timeZone'))

/** Whether a name is a time zone of the IANA database, an alias such as US/Eastern included; an offset is none. */
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

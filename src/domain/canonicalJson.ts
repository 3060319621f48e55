/** Serializes with sorted members, so that equal documents are equal texts although jsonb reorders members. */
export function canonicalJson(value: unknown): string {
  if (value === undefined) return ''
  return JSON.stringify(value, (_, member) => (isPlain(member) ? Object.fromEntries(Object.entries(member).sort()) : member))
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

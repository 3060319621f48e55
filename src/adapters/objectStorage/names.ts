/** Returns the segments of an object name. Throws if the name is not valid. */
export function segmentsOf(name: string): string[] {
  const segments = name.split('/')
  if (!segments.every(isSegment)) throw new Error(`${JSON.stringify(name)} is not a valid object name`)
  return segments
}

/** Returns the segments of a prefix for `list`: none, or those of a name followed by a slash. */
export function prefixSegments(prefix: string): string[] {
  if (prefix === '') return []
  if (!prefix.endsWith('/')) throw new Error(`${JSON.stringify(prefix)} is not a valid prefix: it must be empty or end in a slash`)
  return segmentsOf(prefix.slice(0, -1))
}

export function isSegment(text: string): boolean {
  return /^(?!\.)[A-Za-z0-9._-]{1,128}$/.test(text)
}

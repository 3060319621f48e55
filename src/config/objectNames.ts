import { isFilename } from '../contract/vocabulary/filename.ts'

/** Returns the segments of an object name: folders and a file. Throws if the name is not valid. */
export function segmentsOf(name: string): string[] {
  if (!isObjectName(name)) throw new Error(`${JSON.stringify(name)} is not a valid object name`)
  return name.split('/')
}

/** Returns the segments of a prefix for `list`: none, or those of folders, each followed by a slash. */
export function prefixSegments(prefix: string): string[] {
  if (prefix === '') return []
  const segments = prefix.split('/')
  if (segments.pop() !== '') throw new Error(`${JSON.stringify(prefix)} is not a valid prefix: it must be empty or end in a slash`)
  if (!segments.every(isFolderName)) throw new Error(`${JSON.stringify(prefix)} is not a valid object name`)
  return segments
}

/** Beside a seller's drops, a file that a folder could not be named after would be taken for a drop. */
export function isObjectName(name: string): boolean {
  const segments = name.split('/')
  const [file = ''] = segments.splice(-1)
  return segments.every(isFolderName) && (segments.length >= 2 ? isFilename(file) : isFolderName(file))
}

export function isFolderName(text: string): boolean {
  return /^(?!\.)[A-Za-z0-9._-]{1,128}$/.test(text)
}

import type { Attributes, FileEntry } from 'ssh2'
import type { Entry } from './dropTree.ts'

/** Returns an entry in the form of READDIR. Clients print the long name unchanged. */
export function fileEntry(entry: Entry, seller: string): FileEntry {
  const { filename, isFolder, size, modifiedAt } = entry
  const longname = `${isFolder ? 'drwx------' : '-rw-------'}    1 ${seller} ${seller} ${String(size).padStart(10)} ${stamp(modifiedAt)} ${filename}`
  return { filename, longname, attrs: attributes(entry) }
}

export function attributes({ isFolder, size, modifiedAt }: Pick<Entry, 'isFolder' | 'size' | 'modifiedAt'>): Attributes {
  const seconds = Math.floor(modifiedAt / 1_000)
  return { mode: isFolder ? 0o040700 : 0o100600, uid: 0, gid: 0, size, atime: seconds, mtime: seconds }
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const HALF_A_YEAR_MS = 180 * 24 * 60 * 60 * 1_000

/** Writes a time as `ls -l` does, in UTC: an old date has its year instead of the hour. */
function stamp(at: number): string {
  const time = new Date(at)
  const day = `${MONTHS[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`
  return `${day} ${Math.abs(Date.now() - at) > HALF_A_YEAR_MS ? ` ${time.getUTCFullYear()}` : time.toISOString().slice(11, 16)}`
}

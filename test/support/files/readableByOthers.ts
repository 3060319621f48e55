import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns the paths of the folder and of everything in it that users other than the owner may read, write or enter, with their modes. */
export async function readableByOthers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const found: string[] = []
  for (const path of [folder, ...names.map((name) => join(folder, name))]) {
    // A running server removes files meanwhile. Links have no mode of their own.
    const stats = await lstat(path).catch(() => undefined)
    if (stats === undefined || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) continue
    found.push(`${(stats.mode & 0o777).toString(8)} ${path}`)
  }
  return found
}

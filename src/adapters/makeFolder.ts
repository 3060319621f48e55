import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * As `mkdir -p`. Node's own recursive mkdir says ENOENT of a disk that is read-only, and never returns on file systems that keep answering ENOENT, such
 * as /proc.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await stat(path)).isDirectory()) return
    const parent = dirname(path)
    const parentIsThere = await stat(parent).then(
      () => true,
      () => false,
    )
    if (parentIsThere || parent === path) throw error
    await makeFolder(parent, mode)
    await makeFolder(path, mode)
  }
}

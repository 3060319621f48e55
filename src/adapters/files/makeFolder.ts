import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder as `mkdir -p` does; several processes may do so concurrently. Node's own recursive mkdir reports ENOENT for a read-only
 * disk, and never returns on file systems that keep answering ENOENT, such as /proc.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const parent = dirname(path)
  const isParentThere = await stat(parent).then(
    () => true,
    () => false,
  )
  if (!isParentThere && parent !== path) await makeFolder(parent, mode)
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

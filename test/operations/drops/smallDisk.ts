import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../../support/files/temporaryFolder.ts'

/** A file system of its own that is really full when it is. */
export interface SmallDisk {
  readonly path: string
  /** Fills it up, but for some bytes. */
  fill(left: number): Promise<void>
  /** Takes away what filled it. */
  free(): Promise<void>
  remove(): Promise<void>
}

const mount = (...args: string[]) => promisify(execFile)('mount', args)

/** Undefined, with a line on standard error, where this user may not mount one. */
export async function smallDisk(bytes: number): Promise<SmallDisk | undefined> {
  const folder = await temporaryFolder()
  try {
    await mount('-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tmpfs', folder.path)
  } catch {
    process.stderr.write('The tests on a full disk are left out: this user may not mount one.\n')
    await folder.remove()
    return undefined
  }
  const ballast = join(folder.path, '.ballast')
  return {
    path: folder.path,
    async fill(left) {
      const piece = Buffer.alloc(4_096)
      const file = await open(ballast, 'w')
      try {
        for (;;) if ((await file.write(piece)).bytesWritten < piece.length) break
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
      const { size } = await file.stat()
      await file.truncate(Math.max(size - left, 0))
      await file.close()
    },
    free: () => rm(ballast, { force: true }),
    async remove() {
      await promisify(execFile)('umount', [folder.path])
      await folder.remove()
    },
  }
}

import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate file system in memory, which can be full or read-only without affecting the machine. */
export interface MemoryDisk {
  readonly path: string
  remove(): void
}

/** Mounts one with these mount options, open to every user; undefined, with a line that says so, if this process may not mount. */
export function memoryDisk(options: string, leftOut: string): MemoryDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'marketplace-disk-'))
  chmodSync(path, 0o755)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    rmdirSync(path)
    process.stderr.write(`${leftOut} is left out: this user may not mount a file system.\n`)
    return undefined
  }
  const remove = () => {
    execFileSync('umount', ['--lazy', path])
    rmdirSync(path)
  }
  return { path, remove }
}

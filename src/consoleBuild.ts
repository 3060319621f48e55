import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'

export const CONSOLE_COMMAND = 'npm run console:build'

/** Where the console is built. Each build has its own folder below `dist`, named in `.stamp`: a page finds its files while the next one is made. */
export const consoleFolder = join(ROOT, 'console')

export interface BuildFiles {
  readonly dist: string
  /** The name of the current build: a hash of what it was made of. */
  readonly stamp: string
  /** The process id of the build that runs. */
  readonly building: string
  /** Why the last build failed. */
  readonly failed: string
}

export function buildFiles(folder: string): BuildFiles {
  const dist = join(folder, 'dist')
  return { dist, stamp: join(dist, '.stamp'), building: join(dist, '.building'), failed: join(dist, '.failed') }
}

/** The text of a small file; undefined if it does not exist. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

const LONGEST_BUILD_MS = 15 * 60_000

/** Returns whether a build runs; the mark of one that was killed does not count. */
export function isBuilding({ building }: BuildFiles): boolean {
  const pid = Number(textOf(building))
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    // Another program may have the process id of a build that was killed.
    if (Date.now() - statSync(building).mtimeMs > LONGEST_BUILD_MS) return false
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

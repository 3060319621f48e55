import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../config/root.ts'

export const CONSOLE_COMMAND = 'npm run console:build'

/** The folder of the console. `dist` has a folder per build, named in `.stamp`, so that a page finds its files during the next build. */
export const consoleFolder = join(ROOT, 'console')

export interface BuildFiles {
  readonly dist: string
  /** The name of the current build: a hash of its sources. */
  readonly stamp: string
  /** The process id of the running build. */
  readonly building: string
  /** Why the last build failed. */
  readonly failed: string
}

export function buildFiles(folder: string): BuildFiles {
  const dist = join(folder, 'dist')
  return { dist, stamp: join(dist, '.stamp'), building: join(dist, '.building'), failed: join(dist, '.failed') }
}

/** Returns the text of a small file; undefined if it does not exist. */
export function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return undefined
  }
}

const LONGEST_BUILD_MS = 15 * 60_000

/** Returns whether a build is running, ignoring the mark of a killed one. */
export function isBuilding({ building }: BuildFiles): boolean {
  const pid = Number(textOf(building))
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    // Another program may have taken the process id of a killed build.
    if (Date.now() - statSync(building).mtimeMs > LONGEST_BUILD_MS) return false
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

import { createHash } from 'node:crypto'
import { access, constants, readdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { makeFolder } from '../makeFolder.ts'
import { undefinedWhenMissing } from './missing.ts'
import { StorageFault } from './storageFault.ts'

/** The name of a file in every directory that is a store. It begins with a dot, so no object has this name. */
export const MARKER = '.store'

/**
 * Makes a directory a store, unless it is one. The marker is in the directory, and its record is in `records`, a directory of this machine.
 * If there is a record but the directory is empty or missing, its volume is not mounted: a StorageFault. A directory with files but
 * no marker, as a copy of a store may be, becomes one.
 */
export async function beginDirectory(root: string, records: string | undefined): Promise<void> {
  const record =
    records === undefined ? undefined : join(records, `store-${createHash('sha256').update(resolve(root)).digest('hex').slice(0, 16)}`)
  if (!(await isThere(join(root, MARKER)))) {
    if (record !== undefined && (await isThere(record)) && (await isEmpty(root))) throw new StorageFault('directory', 'empty')
    try {
      await makeFolder(root, 0o700)
      await writeFile(join(root, MARKER), '', { mode: 0o600 })
    } catch (error) {
      throw records !== undefined && (await isBecauseOf(dirname(records), root)) ? ofDataDir(error) : error
    }
  }
  if (record === undefined || records === undefined || (await isThere(record))) return
  try {
    await makeFolder(records, 0o700)
    await writeFile(record, `${resolve(root)}\n`, { mode: 0o600 })
  } catch (error) {
    // The store itself is in order: a setting that names it would be blamed for nothing.
    throw ofDataDir(error)
  }
}

function ofDataDir(error: unknown): StorageFault {
  return new StorageFault('records', String((error as NodeJS.ErrnoException).code), { cause: error })
}

/** Returns whether a store could not be written since it is in the data directory, where nothing can be, whatever setting names the store. */
async function isBecauseOf(dataDir: string, root: string): Promise<boolean> {
  if (!resolve(root).startsWith(`${resolve(dataDir)}${sep}`)) return false
  return access(dataDir, constants.W_OK).then(
    () => false,
    () => true,
  )
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: unknown) => undefinedWhenMissing(error) ?? false,
  )
}

async function isEmpty(root: string): Promise<boolean> {
  return ((await readdir(root).catch(undefinedWhenMissing)) ?? []).length === 0
}

import { createHash } from 'node:crypto'
import { access, readdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../makeFolder.ts'
import { undefinedWhenMissing } from './missing.ts'
import { StorageFault } from './storageFault.ts'

/** Lies in every directory that is a store. Begins with a dot, so no object has its name. */
export const MARKER = '.store'

/**
 * Makes a directory a store, unless it is one. The marker is in the directory and a record of it in `records`, a directory of this machine: where
 * there is a record, a directory that is empty or missing is a volume that is not mounted, and a StorageFault. One with files and without a marker was
 * a store before there were markers.
 */
export async function beginDirectory(root: string, records: string | undefined): Promise<void> {
  const record =
    records === undefined ? undefined : join(records, `store-${createHash('sha256').update(resolve(root)).digest('hex').slice(0, 16)}`)
  if (!(await isThere(join(root, MARKER)))) {
    if (record !== undefined && (await isThere(record)) && (await isEmpty(root))) throw new StorageFault('directory', 'empty')
    await makeFolder(root, 0o700)
    await writeFile(join(root, MARKER), '')
  }
  if (record === undefined || records === undefined || (await isThere(record))) return
  await makeFolder(records, 0o700)
  await writeFile(record, `${resolve(root)}\n`)
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

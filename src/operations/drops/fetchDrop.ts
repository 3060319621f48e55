import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import type { DropError } from '../../contract/drop.ts'
import { DROPS } from '../../metrics/work.ts'
import { lockedTransaction, lockOn } from '../../store/connection/lockedTransaction.ts'
import { type DropName, moveRun, type OpenRun, wakeNextDrop } from '../../store/drops/dropRun.ts'
import type { DropRunFile } from '../../store/drops/drops.ts'
import { endDrop } from '../../store/drops/endDrop.ts'
import { landResult } from './landResult.ts'
import { atStage, type StageDeps, StageStuck } from './stage.ts'

/**
 * Copies the files of a drop to the spool and compares their hashes with the manifest's. A file that is missing or has changed since
 * the registration rejects the drop.
 */
export async function fetchDrop(deps: StageDeps, name: DropName, signal: AbortSignal): Promise<void> {
  await atStage(deps.db, name, 'fetch', async (run) => {
    await landResult(deps, run.seller, run.drop_id).catch(() => undefined) // removes that of an earlier run
    const errors = await fillSpool(deps, run, run.files, signal)
    await lockedTransaction(deps.db.pool, lockOn(`drops:${run.seller}`), async (client) => {
      if (errors.length === 0) return void (await moveRun(client, run, { stage: 'publish' }))
      await endDrop(client, await moveRun(client, run, { errors }), { isUnread: true })
      await wakeNextDrop(client, run.seller)
    })
    if (errors.length === 0) return
    DROPS.inc({ outcome: 'rejected' })
    await landResult(deps, run.seller, run.drop_id).catch(() => undefined) // otherwise a later look of the worker writes it
    await deps.spool.remove(run)
  })
}

/** Returns the path of a run's file in the spool. */
export function spoolPath({ spool }: Pick<StageDeps, 'spool'>, run: OpenRun, { filename }: Pick<DropRunFile, 'filename'>): string {
  return join(spool.folderOf(run), 'files', filename)
}

/**
 * Copies the files that are missing from the spool: all of them at first, or in a later stage when a worker on another machine continues.
 * Returns an error for each file that differs from the manifest; such a file is not kept in the spool.
 */
export async function fillSpool(deps: StageDeps, run: OpenRun, files: readonly DropRunFile[], signal: AbortSignal): Promise<DropError[]> {
  const missing: DropRunFile[] = []
  for (const file of files) if (!(await isThere(spoolPath(deps, run, file), file.size))) missing.push(file)
  if (missing.length === 0) return []
  if (!(await deps.spool.hasRoom(missing.reduce((sum, { size }) => sum + size, 0)))) throw new StageStuck('spool_full')
  await makeFolder(join(deps.spool.folderOf(run), 'files'), 0o700)
  const errors: DropError[] = []
  for (const file of missing) {
    const fault = await fetchFile(deps, run, file, signal)
    if (fault !== undefined) errors.push(fault)
  }
  return errors
}

async function fetchFile(deps: StageDeps, run: OpenRun, file: DropRunFile, signal: AbortSignal): Promise<DropError | undefined> {
  const { filename, sha256 } = file
  const bytes = await storageCall(() => deps.drops.get(`${run.seller}/${run.drop_id}/${filename}`))
  const at = { file: filename, row: 0, field: 'filename', value: filename }
  if (bytes === undefined) return { ...at, error_code: 'FILE_MISSING', message: `${filename} is no longer in the drop.` }
  const path = spoolPath(deps, run, file)
  const part = `${path}.${randomUUID()}`
  try {
    const found = await copy(bytes, part, signal)
    if (found !== sha256)
      return {
        ...{ file: filename, row: 0, field: 'sha256', value: found, error_code: 'SHA256_MISMATCH' },
        message: `${filename} has changed since the manifest was registered: its sha256 is ${found}, not ${sha256}.`,
      }
    await rename(part, path)
    return undefined
  } finally {
    // A part would take room in the spool until the drop ends, which a store that fails again and again keeps it from.
    await rm(part, { force: true })
  }
}

/** Copies bytes to a file and returns their SHA-256 as hexadecimal digits. */
async function copy(bytes: Readable, path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  async function* hashed() {
    try {
      for await (const chunk of bytes) {
        hash.update(chunk)
        yield chunk
      }
    } catch (error) {
      throw signal.aborted ? error : new StageStuck('storage_unavailable', error)
    }
  }
  await pipeline(Readable.from(hashed(), { objectMode: false }), createWriteStream(path, { mode: 0o600 }), { signal })
  return hash.digest('hex')
}

async function storageCall<T>(call: () => Promise<T>): Promise<T> {
  return call().catch((error: unknown) => {
    throw new StageStuck('storage_unavailable', error)
  })
}

/** Returns whether the spool has the file. It gets its name there only after its hash has been verified. */
async function isThere(path: string, size: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found?.size === size
}

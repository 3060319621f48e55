import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../makeFolder.ts'
import { undefinedWhenMissing } from './missing.ts'
import { onceDone } from './onceDone.ts'
import { directoryFault } from './storageFault.ts'

export interface IncomingFiles {
  /** Writes the bytes to a file and resolves with the result of `use` on its path. Then removes the file, unless `use` has moved it. */
  receive<T>(bytes: AsyncIterable<Uint8Array>, use: (path: string) => Promise<T>): Promise<T>
}

/** Opens a folder for files that are being received; durable files are on the disk before they are used. Several processes may share it. */
export function incomingFiles(folder: string, { durable }: { durable: boolean }): IncomingFiles {
  const begin = onceDone(() => removeLeftovers(folder))
  return {
    async receive(bytes, use) {
      await begin().catch(refuseAsFault)
      const path = join(folder, randomUUID())
      try {
        await write(path, bytes, durable)
        return await use(path)
      } finally {
        await rm(path, { force: true })
      }
    },
  }
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>, durable: boolean): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(refuseAsFault)
  try {
    for await (const chunk of bytes) await writeAll(file, chunk).catch(refuseAsFault)
    if (durable) await file.sync().catch(refuseAsFault)
  } finally {
    await file.close()
  }
}

/** Turns errors of the file system into faults. Errors of the incoming bytes keep their own type. */
function refuseAsFault(error: unknown): never {
  throw directoryFault(error)
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

/** The age of a leftover: a put never takes an hour, so an older partial file belongs to a process that was killed. */
const LEFTOVER_MS = 3_600_000

async function removeLeftovers(folder: string): Promise<void> {
  await makeFolder(folder, 0o700)
  for (const part of await readdir(folder)) {
    const { mtimeMs } = (await stat(join(folder, part)).catch(undefinedWhenMissing)) ?? { mtimeMs: Number.POSITIVE_INFINITY }
    if (mtimeMs < Date.now() - LEFTOVER_MS) await rm(join(folder, part), { force: true })
  }
}

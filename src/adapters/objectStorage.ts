import { randomUUID } from 'node:crypto'
import { access, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'

/**
 * A store of files by name. A name is segments of `[A-Za-z0-9._-]{1,128}` joined by slashes, and no segment begins with a dot. Writes are
 * atomic: an object has all of its bytes or does not exist.
 */
export interface ObjectStorage {
  /** Writes or replaces the object. Rejects if `bytes` does, and then leaves nothing behind. */
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Undefined if the object does not exist. */
  get(name: string): Promise<Readable | undefined>
  exists(name: string): Promise<boolean>
  /** Removes the object and all objects below its name. Succeeds if there are none. */
  delete(name: string): Promise<void>
}

/** Stores objects in a directory of one machine. Several processes may share it. */
export function directoryStorage(root: string): ObjectStorage {
  const incoming = join(root, INCOMING)
  let begun: Promise<unknown> | undefined
  const begin = () => {
    begun ??= removeLeftovers(incoming).catch((error: unknown) => {
      begun = undefined
      throw error
    })
    return begun
  }
  return {
    async put(name, bytes) {
      const path = pathOf(root, name)
      await begin()
      const part = join(incoming, randomUUID())
      try {
        await writeDurably(part, bytes)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(part, path)
        await syncFolders(dirname(path), root)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    async get(name) {
      const file = await open(pathOf(root, name)).catch(undefinedWhenMissing)
      return file?.createReadStream()
    },
    exists: async (name) =>
      access(pathOf(root, name)).then(
        () => true,
        (error: unknown) => undefinedWhenMissing(error) ?? false,
      ),
    delete: async (name) => rm(pathOf(root, name), { recursive: true, force: true }),
  }
}

/** Begins with a dot, so no object name can resolve to it. */
const INCOMING = '.incoming'
const SEGMENT = /^(?!\.)[A-Za-z0-9._-]{1,128}$/

function pathOf(root: string, name: string): string {
  const segments = name.split('/')
  if (!segments.every((segment) => SEGMENT.test(segment))) throw new Error(`${JSON.stringify(name)} is not a valid object name`)
  return join(root, ...segments)
}

async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of bytes) await writeAll(file, chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

/** A file name is durable once its folder and every new parent folder are synced. Windows cannot sync folders. */
async function syncFolders(folder: string, root: string): Promise<void> {
  if (process.platform === 'win32') return
  for (let at = folder; at.length >= root.length; at = dirname(at)) {
    const handle = await open(at)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

/** A put never takes an hour, so an older partial file belongs to a process that was killed. */
const LEFTOVER_MS = 3_600_000

async function removeLeftovers(incoming: string): Promise<void> {
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  for (const part of await readdir(incoming)) {
    const { mtimeMs } = (await stat(join(incoming, part)).catch(undefinedWhenMissing)) ?? { mtimeMs: Number.POSITIVE_INFINITY }
    if (mtimeMs < Date.now() - LEFTOVER_MS) await rm(join(incoming, part), { force: true })
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  return undefined
}

import { randomUUID } from 'node:crypto'
import type { BigIntStats, Dirent } from 'node:fs'
import {
  access,
  constants,
  type FileHandle,
  lstat,
  mkdir,
  open as openFile,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isFolderName, isObjectName, prefixSegments, segmentsOf } from '../../../config/objectNames.ts'
import { beginDirectory, MARKER } from './beginDirectory.ts'
import { incomingFiles } from './incomingFiles.ts'
import { undefinedWhenMissing } from './missing.ts'
import { onceDone } from './onceDone.ts'
import type { OpenStorage, StoredObject } from './storage.ts'
import { directoryFault, StorageFault } from './storageFault.ts'

/**
 * Stores objects in a directory of one machine. Several processes may share it. Only regular files are objects. Pipes, links and
 * everything below a linked folder read as missing, so nothing outside the directory can be reached through it. An error of the file system
 * is a StorageFault, and so is a directory that is gone or not mounted, since its objects must not read as missing. `records` is where
 * this machine notes which directories are stores.
 */
export function directoryStorage(root: string, records?: string): OpenStorage {
  const incoming = incomingFiles(join(root, INCOMING), { durable: true })
  /** Creates the directory on first use only. If it is missing later, it was unmounted or removed. */
  const begin = onceDone(() => beginDirectory(root, records))
  const inRoot = <T>(work: () => Promise<T>) =>
    withFaults(async () => {
      await begin()
      return work()
    })
  const requireRoot = () => access(join(root, MARKER), constants.F_OK)
  const open = (name: string) => {
    const segments = segmentsOf(name)
    return inRoot(async () => {
      const file = await openObject(root, segments)
      if (file === undefined) await requireRoot()
      return file
    })
  }
  const stat = async (name: string) => {
    const file = await open(name)
    await file?.handle.close()
    return file && storedObject(name, file.stats)
  }
  return {
    async put(name, bytes) {
      const segments = segmentsOf(name)
      await inRoot(requireRoot)
      await incoming.receive(bytes, (part) =>
        withFaults(async () => {
          const folder = await makeFolders(root, segments.slice(0, -1))
          await rename(part, join(root, ...segments))
          await syncFolders(folder, root)
        }),
      )
    },
    async get(name) {
      const file = await open(name)
      return file?.handle.createReadStream()
    },
    exists: async (name) => (await stat(name)) !== undefined,
    stat,
    async *list(prefix) {
      const segments = prefixSegments(prefix)
      try {
        await begin()
        if (await isInPlace(root, segments)) yield* objectsBelow(join(root, ...segments), prefix)
        await requireRoot()
      } catch (error) {
        throw directoryFault(error)
      }
    },
    // Retries if another process puts an object into the folder while it is being deleted; that object is deleted too.
    async delete(name) {
      const segments = segmentsOf(name)
      await inRoot(async () => {
        await requireRoot()
        if (await isInPlace(root, segments.slice(0, -1))) await rm(join(root, ...segments), { recursive: true, force: true, maxRetries: 3 })
      })
    },
    check: () =>
      inRoot(async () => {
        await requireRoot()
        await access(root, constants.R_OK | constants.W_OK | constants.X_OK)
      }),
    identity: () => inRoot(() => readId(join(root, ID))),
    close: () => undefined,
  }
}

async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw directoryFault(error)
  })
}

/** Begin with a dot, so no object name can resolve to them. */
const INCOMING = '.incoming'
const ID = '.store-id'

/** Reads the id of a directory, which the first process that asks writes: machines may mount one directory at different paths. */
async function readId(file: string): Promise<string> {
  await writeFile(file, randomUUID(), { flag: 'wx', mode: 0o600 }).catch(ignoreExisting)
  for (const wait of [10, 100, 1_000]) {
    const id = await readFile(file, 'utf8')
    if (id !== '') return id
    await sleep(wait) // another process is writing it
  }
  throw new StorageFault('directory', `${ID} is empty`)
}

/** Opens an object; undefined if the name does not lead to a regular file. */
async function openObject(root: string, segments: string[]): Promise<{ handle: FileHandle; stats: BigIntStats } | undefined> {
  const path = join(root, ...segments)
  // O_NONBLOCK opens a pipe without waiting for its writer.
  const handle = await openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(undefinedWhenNoFile)
  if (handle === undefined) return undefined
  try {
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile() && (await isInPlace(root, segments))) {
      // A folder may have been replaced by a link, and back, while the file was opened.
      const found = await lstat(path, { bigint: true }).catch(undefinedWhenMissing)
      if (found?.ino === stats.ino && found.dev === stats.dev) return { handle, stats }
    }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return undefined
}

/** Returns undefined for a link or a socket, which exist but are not files, and for what is missing. Throws any other error. */
function undefinedWhenNoFile(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' ? undefined : undefinedWhenMissing(error)
}

/** Returns whether the path exists and contains no link. The root itself may be a link. */
async function isInPlace(root: string, segments: string[]): Promise<boolean> {
  const [base, real] = await Promise.all([root, join(root, ...segments)].map((path) => realpath(path).catch(undefinedWhenMissing)))
  return base !== undefined && real === join(base, ...segments)
}

/** Makes the folders one by one, because a recursive mkdir would follow a link. */
async function makeFolders(root: string, segments: string[]): Promise<string> {
  let folder = root
  for (const segment of segments) {
    folder = join(folder, segment)
    await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
    if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is in the way: it is not a folder`)
  }
  return folder
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** Syncs the folder and its parents, since a file name is durable only once all of them are synced. Windows cannot sync folders. */
async function syncFolders(folder: string, root: string): Promise<void> {
  if (process.platform === 'win32') return
  for (let at = folder; at.length >= root.length; at = dirname(at)) {
    const handle = await openFile(at)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }
}

async function* objectsBelow(folder: string, prefix: string): AsyncGenerator<StoredObject> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(undefinedWhenMissing)) ?? []
  for (const entry of entries.filter((entry) => isVisible(entry, prefix)).sort(byObjectName)) {
    const name = `${prefix}${entry.name}`
    if (entry.isDirectory()) yield* objectsBelow(join(folder, entry.name), `${name}/`)
    if (!entry.isFile()) continue
    const stats = await lstat(join(folder, entry.name), { bigint: true }).catch(undefinedWhenMissing)
    if (stats?.isFile()) yield storedObject(name, stats)
  }
}

function isVisible(entry: Dirent, prefix: string): boolean {
  return entry.isDirectory() ? isFolderName(entry.name) : isObjectName(`${prefix}${entry.name}`)
}

/** Orders a folder by its name with a slash, as in the names of its objects: `a-b` comes before `a/c`. */
function byObjectName(a: Dirent, b: Dirent): number {
  const [one, other] = [a, b].map((entry) => Buffer.from(entry.isDirectory() ? `${entry.name}/` : entry.name)) as [Buffer, Buffer]
  return Buffer.compare(one, other)
}

function storedObject(name: string, { size, mtimeNs, mtimeMs, ino }: BigIntStats): StoredObject {
  return { name, size: Number(size), modifiedAt: Number(mtimeMs), tag: `${size}-${mtimeNs}-${ino}` }
}

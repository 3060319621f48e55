import type { BigIntStats, Dirent } from 'node:fs'
import { access, constants, type FileHandle, lstat, mkdir, open as openFile, readdir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { OpenStorage, StoredObject } from '../objectStorage.ts'
import { beginDirectory, MARKER } from './beginDirectory.ts'
import { incomingFiles } from './incomingFiles.ts'
import { undefinedWhenMissing } from './missing.ts'
import { isSegment, prefixSegments, segmentsOf } from './names.ts'
import { onceDone } from './onceDone.ts'
import { directoryFault } from './storageFault.ts'

/**
 * Stores objects in a directory of one machine. Several processes may share it. Only regular files are objects. Pipes, links and
 * everything below a linked folder read as missing, so nothing outside of the directory can be reached through it. What the file system refuses is
 * a StorageFault, and so is a directory that is gone or whose volume is not mounted: its objects must not read as missing. `records` is where this machine
 * notes which directories are stores.
 */
export function directoryStorage(root: string, records?: string): OpenStorage {
  const incoming = incomingFiles(join(root, INCOMING), { durable: true })
  /** Makes the directory at the first use only. One that is gone later was unmounted or removed. */
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
    // Another process may be putting an object into a folder that is being deleted: what has come is deleted too.
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
    close: () => undefined,
  }
}

async function withFaults<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw directoryFault(error)
  })
}

/** Begins with a dot, so no object name can resolve to it. */
const INCOMING = '.incoming'

/** Undefined if the name does not lead to a regular file. */
async function openObject(root: string, segments: string[]): Promise<{ handle: FileHandle; stats: BigIntStats } | undefined> {
  const path = join(root, ...segments)
  // Opening a pipe must not wait for its writer.
  const handle = await openFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(undefinedWhenNoFile)
  if (handle === undefined) return undefined
  try {
    const stats = await handle.stat({ bigint: true })
    if (stats.isFile() && (await isInPlace(root, segments))) {
      // A folder may have been exchanged for a link, and back, while the file was opened.
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

/** A link, or a socket: something that exists and is not a file. */
function undefinedWhenNoFile(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO' ? undefined : undefinedWhenMissing(error)
}

/** Whether the path exists and contains no link. The root itself may be one. */
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

/** A file name is durable once its folder and every new parent folder are synced. Windows cannot sync folders. */
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
  for (const entry of entries.filter(({ name }) => isSegment(name)).sort(byObjectName)) {
    const name = `${prefix}${entry.name}`
    if (entry.isDirectory()) yield* objectsBelow(join(folder, entry.name), `${name}/`)
    if (!entry.isFile()) continue
    const stats = await lstat(join(folder, entry.name), { bigint: true }).catch(undefinedWhenMissing)
    if (stats?.isFile()) yield storedObject(name, stats)
  }
}

/** A folder is compared with the slash that its objects have behind it: `a-b` comes before `a/c`. */
function byObjectName(a: Dirent, b: Dirent): number {
  const [one, other] = [a, b].map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)) as [string, string]
  return one < other ? -1 : 1
}

function storedObject(name: string, { size, mtimeNs, mtimeMs, ino }: BigIntStats): StoredObject {
  return { name, size: Number(size), modifiedAt: Number(mtimeMs), tag: `${size}-${mtimeNs}-${ino}` }
}

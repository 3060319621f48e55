import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../adapters/files/makeFolder.ts'
import { BYTES_PER_DROP } from '../../contract/vocabulary/drops.ts'
import type { DropKey } from '../../store/drops/drops.ts'

/** The most bytes in the spool of one machine; a drop waits while the spool is full. */
const SPOOL_BYTES = 8 * BYTES_PER_DROP

/**
 * The folder of one machine with the files of the drops in progress. After the fetch only these copies are read, so a file that a seller
 * replaces later changes nothing.
 */
export interface Spool {
  /** The data directory in which the spool is. */
  readonly dataDir: string
  /** Returns the folder of a run. */
  folderOf(run: DropKey): string
  /** Returns whether this many more bytes fit. */
  hasRoom(bytes: number): Promise<boolean>
  remove(run: DropKey): Promise<void>
  /** Removes the folders of ended runs, which remain if a worker was killed before it could remove them. */
  removeLeftovers(isOpen: (run: DropKey) => Promise<boolean>): Promise<void>
}

export function openSpool(dataDir: string, mostBytes = SPOOL_BYTES): Spool {
  const root = join(dataDir, 'spool')
  const folderOf = ({ seller, drop_id, run_no }: DropKey) => join(root, seller, drop_id, String(run_no))
  return {
    dataDir,
    folderOf,
    hasRoom: async (bytes) => (await bytesIn(root)) + bytes <= mostBytes,
    remove: (run) => rm(folderOf(run), { recursive: true, force: true }),
    async removeLeftovers(isOpen) {
      for (const seller of await namesIn(root))
        for (const drop_id of await namesIn(join(root, seller))) {
          for (const run_no of await namesIn(join(root, seller, drop_id))) {
            const run = { seller, drop_id, run_no: Number(run_no) }
            if (!(await isOpen(run))) await rm(folderOf(run), { recursive: true, force: true })
          }
          if ((await namesIn(join(root, seller, drop_id))).length === 0)
            await rm(join(root, seller, drop_id), { recursive: true, force: true })
        }
    },
  }
}

/**
 * Creates a folder below this one for one attempt of a stage, and removes all others. Its name is unique: an abandoned attempt may still
 * be writing, and then finds its own folder gone.
 */
export async function ownFolder(path: string): Promise<string> {
  await rm(path, { recursive: true, force: true })
  const own = join(path, randomUUID())
  await makeFolder(own, 0o700)
  return own
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

/** Returns the bytes below a path. Tolerates other processes that add and remove files meanwhile. */
async function bytesIn(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.size
  const sizes = await Promise.all((await namesIn(path)).map((name) => bytesIn(join(path, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

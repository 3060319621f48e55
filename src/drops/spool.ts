import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../adapters/makeFolder.ts'
import { BYTES_PER_DROP } from '../contract/vocabulary/drops.ts'
import type { DropKey } from '../store/drops/drops.ts'

/** The most bytes in the spool of one machine: a drop that finds it full waits. */
const SPOOL_BYTES = 8 * BYTES_PER_DROP

/**
 * The folder of one machine with the files of the drops that are under way: from the fetch on, only these copies are read, so that what a seller
 * replaces meanwhile changes nothing.
 */
export interface Spool {
  /** The folder of a run. */
  folderOf(run: DropKey): string
  /** Whether so many more bytes fit. */
  hasRoom(bytes: number): Promise<boolean>
  remove(run: DropKey): Promise<void>
  /** Removes the folders of runs that are over: a worker was killed before it could. */
  removeLeftovers(isOpen: (run: DropKey) => Promise<boolean>): Promise<void>
}

export function openSpool(dataDir: string, mostBytes = SPOOL_BYTES): Spool {
  const root = join(dataDir, 'spool')
  const folderOf = ({ seller, drop_id, run_no }: DropKey) => join(root, seller, drop_id, String(run_no))
  return {
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
 * A new folder in this one, for one attempt of a stage, and nothing beside it. Its name is its own: an attempt that was given up may still be writing,
 * and finds its folder gone.
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

/** Other processes add and remove files during this. */
async function bytesIn(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return 0
  if (!found.isDirectory()) return found.size
  const sizes = await Promise.all((await namesIn(path)).map((name) => bytesIn(join(path, name))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Slice } from './reader/messages.ts'
import { ownFolder } from './spool.ts'

/** The slices of one file, kept on the disk until it is known whether the file can be read to its end. */
export interface HeldSlices {
  /** Moves the file of a slice out of its reader's folder. Returns the slice with its new path. */
  add(slice: Slice): Promise<Slice>
  /** Returns the slices that were added, and forgets them. */
  take(): readonly Slice[]
}

export async function holdSlices(folder: string): Promise<HeldSlices> {
  const own = await ownFolder(folder)
  let held: Slice[] = []
  let moved = 0
  return {
    async add(slice) {
      const path = join(own, String(moved))
      moved += 1
      await rename(slice.path, path)
      const kept = { ...slice, path }
      held.push(kept)
      return kept
    },
    take() {
      const taken = held
      held = []
      return taken
    },
  }
}

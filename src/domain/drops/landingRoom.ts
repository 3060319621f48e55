import { formatOf } from '../../contract/vocabulary/dropFormats.ts'
import { BYTES_PER_DROP, MANIFEST_BYTES, MANIFEST_FILE } from '../../contract/vocabulary/drops.ts'
import { Refusal } from '../refusal.ts'
import { bytesAllowed } from './landedFaults.ts'

/** What a seller has landed or is landing beside one file. */
export interface Landings {
  /** Other files of the drop, its manifest aside, and their bytes. */
  readonly files: number
  readonly bytes: number
  /** Other drops into which files have landed in the last 24 hours, if none has landed into this one. */
  readonly drops_today: number
  /** Bytes of all other files of the seller. */
  readonly stock: number
}

/** The settings that bound what a seller lands; 0 is no bound. */
export interface LandingBounds {
  readonly dropsPerDay: number
  readonly dropBytesPerSeller: number
  /** Files of a drop, its manifest aside, where they may not be more than a manifest lists. */
  readonly filesPerDrop?: number
}

/** The room for one file: the most bytes that it may have, and the refusal of a larger one. */
export interface LandingRoom {
  readonly most: number
  readonly refusal: Refusal
}

/** The room for a file under the bounds of files, drops, days and sellers (choices, File drops: limits). Refuses a file for which there is none. */
export function landingRoom(
  { drop_id, filename }: { readonly drop_id: string; readonly filename: string },
  { files, bytes, drops_today, stock }: Landings,
  { dropsPerDay, dropBytesPerSeller, filesPerDrop = Number.POSITIVE_INFINITY }: LandingBounds,
): LandingRoom {
  if (dropsPerDay > 0 && drops_today >= dropsPerDay) {
    const message = `A seller may put files into ${dropsPerDay} drops in 24 hours.`
    throw new Refusal('RATE_LIMITED', message, { retry_after: 3_600, most: dropsPerDay })
  }
  const isManifest = filename === MANIFEST_FILE
  if (files >= filesPerDrop && !isManifest) {
    const message = `A drop has at most ${filesPerDrop} files; ${drop_id} has them.`
    throw new Refusal('INVALID_INPUT', message, { field: 'filename', most: filesPerDrop })
  }
  const inDrop = isManifest ? MANIFEST_BYTES : Math.min(mostBytesOf(filename), Math.max(BYTES_PER_DROP - bytes, 0))
  const inStock = dropBytesPerSeller === 0 ? Number.POSITIVE_INFINITY : Math.max(dropBytesPerSeller - stock, 0)
  if (inDrop <= inStock)
    return {
      most: inDrop,
      refusal: new Refusal('PAYLOAD_TOO_LARGE', `The file is larger than the ${inDrop} bytes that the drop takes.`, { most: inDrop }),
    }
  const message = `The files of a seller may have at most ${dropBytesPerSeller} bytes in all, of which ${inStock} are left; files are deleted after 30 days.`
  return { most: inStock, refusal: new Refusal('PAYLOAD_TOO_LARGE', message, { most: inStock }) }
}

/** The most bytes of a file of this name. */
export function mostBytesOf(filename: string): number {
  return filename === MANIFEST_FILE ? MANIFEST_BYTES : bytesAllowed(formatOf({ filename, type: 'catalog' }))
}

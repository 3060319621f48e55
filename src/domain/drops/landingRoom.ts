import { formatOf } from '../../contract/vocabulary/dropFormats.ts'
import { BYTES_PER_DROP, MANIFEST_BYTES, MANIFEST_FILE } from '../../contract/vocabulary/drops.ts'
import { overLimit } from '../overLimit.ts'
import { Refusal } from '../refusal.ts'
import { bytesAllowed } from './landedFaults.ts'

/** The other files that a seller has landed or is landing. */
export interface Landings {
  /** The other files of the drop, without its manifest, and their bytes. */
  readonly files: number
  readonly bytes: number
  /** The other drops into which files have landed in the last 24 hours, if none has landed into this one. */
  readonly drops_today: number
  /** The bytes of all other files of the seller. */
  readonly stock: number
}

/** The settings that limit the files of a seller; 0 is no limit. */
export interface LandingBounds {
  readonly dropsPerDay: number
  readonly dropBytesPerSeller: number
  /** The most files of a drop without its manifest, if they are limited to the number that a manifest may list. */
  readonly filesPerDrop?: number
}

/** The room for one file: the most bytes that it may have, and the refusal of a larger one. */
export interface LandingRoom {
  readonly max: number
  readonly refusal: Refusal
}

/** Returns the room for a file under the limits of files, drops, days and sellers (choices, File drops: limits). Refuses without room. */
export function landingRoom(
  { drop_id, filename }: { readonly drop_id: string; readonly filename: string },
  { files, bytes, drops_today, stock }: Landings,
  { dropsPerDay, dropBytesPerSeller, filesPerDrop = Number.POSITIVE_INFINITY }: LandingBounds,
): LandingRoom {
  if (dropsPerDay > 0 && drops_today >= dropsPerDay) {
    const message = `A seller may put files into ${dropsPerDay} drops in 24 hours.`
    throw overLimit({ limit: 'drops', most: dropsPerDay, window_s: 86_400 }, message, 3_600)
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
      max: inDrop,
      refusal: new Refusal('PAYLOAD_TOO_LARGE', `The file is larger than the ${inDrop} bytes that the drop takes.`, { most: inDrop }),
    }
  const message = `The files of a seller may have at most ${dropBytesPerSeller} bytes in all, of which ${inStock} are left; files are deleted after 30 days.`
  return { max: inStock, refusal: new Refusal('PAYLOAD_TOO_LARGE', message, { most: inStock }) }
}

/** Returns the most bytes of a file of this name. */
export function mostBytesOf(filename: string): number {
  return filename === MANIFEST_FILE ? MANIFEST_BYTES : bytesAllowed(formatOf({ filename, type: 'catalog' }))
}

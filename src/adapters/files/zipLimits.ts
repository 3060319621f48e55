import { fromBufferPromise } from 'yauzl'
import { Unreadable } from '../tables/unreadable.ts'

export interface ZipLimits {
  readonly parts: number
  readonly inflatedBytes: number
  /** The most that the content may grow to, as a multiple of the file. */
  readonly ratio: number
}

/**
 * Checks the declared and the actual decompressed size of a zip file before anything holds its content in memory. Calls `look` with each
 * part as it is inflated.
 */
export async function checkZip(
  bytes: Buffer,
  { parts, inflatedBytes, ratio }: ZipLimits,
  look: (name: string) => ((chunk: Buffer) => void) | undefined,
): Promise<void> {
  const zip = await fromBufferPromise(bytes)
  if (zip.entryCount > parts) throw new Unreadable(`it holds more than ${parts} parts`)
  let inflated = 0
  for await (const entry of zip.eachEntry()) {
    if (inflated + entry.uncompressedSize > inflatedBytes) throw tooLarge()
    const take = look(entry.fileName)
    if (entry.fileName.endsWith('/')) continue
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      inflated += chunk.length
      if (inflated > inflatedBytes || inflated > Math.max(bytes.length, SMALL) * ratio) throw tooLarge()
      take?.(chunk)
    }
  }
}

/** The number of bytes below which the compression ratio is not meaningful. */
const SMALL = 10_000

function tooLarge(): Unreadable {
  return new Unreadable('its decompressed content is too large')
}

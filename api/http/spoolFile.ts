import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reservation } from './byteBudget.ts'

/** A file that is written at its end and read from its beginning, once. */
export interface SpoolFile {
  append(bytes: Uint8Array): Promise<void>
  /** Whether some of the written bytes have not been read. */
  hasMore(): boolean
  /** Returns the next bytes, up to `max` of them. */
  read(max: number): Promise<Uint8Array>
  close(): Promise<void>
}

/** Opens a file in a folder; its bytes count until it is closed. Unlinks it immediately, so that a killed process leaves no file. */
export async function openSpoolFile(folder: string, written: Reservation): Promise<SpoolFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  let end = 0
  let at = 0
  return {
    async append(bytes) {
      written.grow(bytes.length)
      for (let from = 0; from < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, from, bytes.length - from, end)
        from += bytesWritten
        end += bytesWritten
      }
    },
    hasMore: () => at < end,
    async read(max) {
      const length = Math.min(max, end - at)
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
      at += bytesRead
      return buffer.subarray(0, bytesRead)
    },
    async close() {
      written.release()
      await file.close()
    },
  }
}

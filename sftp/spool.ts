import { randomUUID } from 'node:crypto'
import { constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Shared } from '../src/config.ts'
import { failed } from './fault.ts'

/** Temporary files for transfers from and to clients. Their bytes are limited per seller and in total. */
export interface Spool {
  /** Creates a file of at most `most` bytes. */
  create(seller: string, most: number): Promise<SpooledFile>
}

/** A file without a name, so that it disappears with its process, however the process ends. */
export interface SpooledFile {
  readonly size: number
  write(offset: number, data: Uint8Array): Promise<void>
  truncate(size: number): Promise<void>
  read(offset: number, length: number): Promise<Buffer>
  /** Reads all bytes from the beginning. */
  bytes(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export function openSpool(folder: string, { one, all }: Shared): Spool {
  const held = new Map<string, number>()
  let total = 0
  const reserve = (seller: string, bytes: number) => {
    const own = (held.get(seller) ?? 0) + bytes
    if (bytes > 0 && own > one) throw failed(`The bound of ${one} bytes in files that are open is reached: send fewer at once.`)
    if (bytes > 0 && total + bytes > all) throw failed('The server holds as many bytes of open files as it can: try again later.')
    total += bytes
    if (own > 0) held.set(seller, own)
    else held.delete(seller)
  }
  return {
    async create(seller, most) {
      const handle = await createNameless(folder)
      return spooledFile(handle, most, (bytes) => reserve(seller, bytes))
    },
  }
}

async function createNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await rm(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

const CHUNK = 256 * 1024

function spooledFile(handle: FileHandle, most: number, reserve: (bytes: number) => void): SpooledFile {
  let size = 0
  let isOpen = true
  const grow = (to: number) => {
    if (to > most) throw failed(`The file may have at most ${most} bytes.`)
    reserve(to - size)
    size = to
  }
  const read = async (offset: number, length: number) => {
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)))
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset)
    return buffer.subarray(0, bytesRead)
  }
  return {
    get size() {
      return size
    },
    async write(offset, data) {
      if (offset + data.length > size) grow(offset + data.length)
      for (let at = 0; at < data.length; ) at += (await handle.write(data, at, data.length - at, offset + at)).bytesWritten
    },
    async truncate(to) {
      grow(to)
      await handle.truncate(to)
    },
    read,
    async *bytes() {
      for (let at = 0; at < size; ) {
        const chunk = await read(at, CHUNK)
        if (chunk.length === 0) throw new Error('a spooled file is shorter than what was written')
        yield chunk
        at += chunk.length
      }
    },
    async close() {
      if (!isOpen) return
      isOpen = false
      reserve(-size)
      await handle.close()
    },
  }
}

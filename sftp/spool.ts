import { randomUUID } from 'node:crypto'
import { constants, type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SharedLimit } from '../src/config/index.ts'
import { failed } from './fault.ts'
import { LIMITS } from './limits.ts'
import { writtenRanges } from './writtenRanges.ts'

/** Temporary files for transfers from and to clients. Their bytes are limited per seller and in total, and each seller has a share. */
export interface Spool {
  /** Creates a file of at most `max` bytes. */
  create(seller: string, max: number): Promise<SpooledFile>
}

/** A file without a name, so that it disappears with its process, however the process ends. */
export interface SpooledFile {
  readonly size: number
  /** Whether every byte below the size has been written. */
  readonly isWhole: boolean
  /** After a write that was refused or failed, the content is not what was meant to be written. */
  write(offset: number, data: Uint8Array): Promise<void>
  truncate(size: number): Promise<void>
  read(offset: number, length: number): Promise<Buffer>
  /** Reads all bytes from the beginning. */
  bytes(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

/**
 * Half of the room is divided into equal shares, one for each seller that can be connected. What a seller holds beyond its share comes from
 * the other half, so that however much the others hold, a seller can send files up to its share.
 */
export function openSpool(folder: string, { perTenant: one, total: all }: SharedLimit, sellers: number = LIMITS.connections): Spool {
  const share = Math.floor(all / (2 * sellers))
  const common = all - sellers * share
  const held = new Map<string, number>()
  let borrowed = 0
  const beyondShare = (bytes: number) => Math.max(0, bytes - share)
  const reserve = (seller: string, bytes: number) => {
    const before = held.get(seller) ?? 0
    const own = before + bytes
    const more = beyondShare(own) - beyondShare(before)
    if (bytes > 0 && own > one) throw failed(`The bound of ${one} bytes in files that are open is reached: send fewer at once.`)
    if (more > 0 && borrowed + more > common)
      throw failed(
        `The server holds as many bytes of open files as it can; of yours it always takes ${share} bytes at once: send fewer, or try again later.`,
      )
    borrowed += more
    if (own > 0) held.set(seller, own)
    else held.delete(seller)
  }
  return {
    async create(seller, max) {
      const handle = await createNameless(folder)
      return spooledFile(handle, max, (bytes) => reserve(seller, bytes))
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
/** As many as the requests that may wait on a connection, all of which may be parts of one file. */
const MAX_RANGES = 20_000
/** What a range may take on the disk beyond its bytes: a part of a block at either end. */
const BLOCKS = 8_192

function spooledFile(handle: FileHandle, max: number, reserve: (bytes: number) => void): SpooledFile {
  const written = writtenRanges()
  let size = 0
  let held = 0
  let isOpen = true
  /** Only bytes that have arrived are held: a size that a client states, or an offset far beyond the end, takes nothing from others. */
  const hold = () => {
    const needed = Math.min(size, written.bytes + BLOCKS * Math.max(0, written.count - 1))
    reserve(needed - held)
    held = needed
  }
  const requireBelow = (to: number) => {
    if (to > max) throw failed(`The file may have at most ${max} bytes.`)
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
    get isWhole() {
      return written.bytes === size
    },
    async write(offset, data) {
      const end = offset + data.length
      requireBelow(end)
      if (written.count >= MAX_RANGES) throw failed('The parts of the file arrive in too many pieces: send it in order.')
      written.add(offset, end)
      size = Math.max(size, end)
      hold()
      for (let at = 0; at < data.length; ) at += (await handle.write(data, at, data.length - at, offset + at)).bytesWritten
    },
    async truncate(to) {
      requireBelow(to)
      written.cut(to)
      size = to
      hold()
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
      reserve(-held)
      await handle.close()
    },
  }
}

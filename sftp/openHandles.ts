import type { ObjectStorage } from '../src/adapters/files/objectStorage/storage.ts'
import type { Entry } from './dropTree.ts'
import { failed } from './fault.ts'
import type { FilePlace } from './place.ts'
import type { SpooledFile } from './spool.ts'

/** A file or a folder that a client has opened. */
export type Opened = Upload | Download | Listing

export interface Upload {
  readonly kind: 'upload'
  readonly place: FilePlace
  readonly file: SpooledFile
  /** When the client says that the file was last changed, in epoch milliseconds. */
  changedAt: number | undefined
  /** Whether a write has failed, so that the content is not what the client meant to send. */
  isBroken: boolean
}

export interface Listing {
  readonly kind: 'listing'
  readonly entries: AsyncIterator<Entry>
}

export interface Download {
  readonly kind: 'download'
  readonly size: number
  readonly modifiedAt: number
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

/** Reads an object at any offset. The store streams an object from its beginning, so the object is spooled up to the offset first. */
export async function openDownload(drops: ObjectStorage, name: string, create: () => Promise<SpooledFile>): Promise<Download | undefined> {
  const object = await drops.stat(name)
  const stream = object && (await drops.get(name))
  if (object === undefined || stream === undefined) return undefined
  const file = await create().catch((error: unknown) => {
    stream.destroy()
    throw error
  })
  const chunks = stream[Symbol.asyncIterator]()
  let failure: unknown
  return {
    kind: 'download',
    size: object.size,
    modifiedAt: object.modifiedAt,
    async read(offset, length) {
      if (failure !== undefined) throw failure
      try {
        while (file.size < offset + length) {
          const { value, done } = await chunks.next()
          if (done === true) break
          await file.write(file.size, value)
        }
      } catch (error) {
        // The stream would go on behind what was lost.
        failure = error
        throw error
      }
      return file.read(offset, length)
    },
    async close() {
      stream.destroy()
      await file.close()
    },
  }
}

/** The number of handles that the channels of one connection have open. */
export interface HandleRoom {
  readonly max: number
  open: number
}

/** The handles of one channel, by the number that the client uses for them. */
export interface OpenHandles {
  /** Refuses a handle over the limit before anything is opened for it. */
  requireRoom(): void
  add(opened: Opened): Buffer
  get(handle: Buffer): Opened
  remove(handle: Buffer): Opened
  /** Closes all handles and stores no unfinished upload. */
  closeAll(): Promise<void>
}

export function openHandles(room: HandleRoom): OpenHandles {
  const opened = new Map<number, Opened>()
  let last = 0
  const get = (handle: Buffer) => {
    const found = handle.length === 4 ? opened.get(handle.readUInt32BE()) : undefined
    if (found === undefined) throw failed('This handle is not open.')
    return found
  }
  return {
    requireRoom() {
      if (room.open >= room.max) throw failed(`At most ${room.max} files and folders may be open: close some first.`)
    },
    add(one) {
      last = (last + 1) % 2 ** 32
      opened.set(last, one)
      room.open += 1
      const handle = Buffer.alloc(4)
      handle.writeUInt32BE(last)
      return handle
    },
    get,
    remove(handle) {
      const found = get(handle)
      opened.delete(handle.readUInt32BE())
      room.open -= 1
      return found
    },
    async closeAll() {
      const all = [...opened.values()]
      opened.clear()
      room.open -= all.length
      await Promise.all(all.map(closeOpened))
    },
  }
}

export async function closeOpened(one: Opened): Promise<void> {
  if (one.kind === 'upload') await one.file.close()
  else if (one.kind === 'download') await one.close()
  else await one.entries.return?.()
}

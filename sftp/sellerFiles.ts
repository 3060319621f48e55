import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import ssh2 from 'ssh2'
import type { ObjectStorage } from '../src/adapters/files/objectStorage/storage.ts'
import { BYTES_PER_DROP_FILE, MANIFEST_FILE } from '../src/contract/vocabulary/drops.ts'
import { type LandingBounds, mostBytesOf } from '../src/domain/drops/landingRoom.ts'
import type { Database } from '../src/store/connection/database.ts'
import { keepClientTime, readClientTimes } from '../src/store/drops/clientTimes.ts'
import type { DropFileKey } from '../src/store/drops/dropFiles.ts'
import { notifyLanding } from '../src/store/drops/landed.ts'
import { abandonLanding, beginLanding, deleteLanding, endLanding, type Landing, readLandingRoom } from '../src/store/drops/landings.ts'
import { type DropTree, type Entry, openDropTree } from './dropTree.ts'
import { failed, missing, unsupported } from './fault.ts'
import type { MadeFolders } from './madeFolders.ts'
import { closeOpened, type HandleRoom, openDownload, openHandles, type Upload } from './openHandles.ts'
import { type FilePlace, placeOf, removableFile, writableFile } from './place.ts'
import type { Spool } from './spool.ts'

const { READ, WRITE, APPEND, CREAT, TRUNC, EXCL } = ssh2.utils.sftp.OPEN_MODE

export interface FileDeps extends LandingBounds {
  readonly drops: ObjectStorage
  readonly spool: Spool
  readonly folders: MadeFolders
  readonly log: Logger
  readonly db: Database
}

/** The open files and folders of one channel, and its operations on the seller's files. */
export interface SellerFiles extends Omit<DropTree, 'list' | 'nameOf' | 'rename' | 'requireRoom'> {
  /** Replaces a file that already has the new name, as writing to that name would. */
  rename(from: string, to: string): Promise<void>
  openFile(path: string, flags: number): Promise<Buffer>
  openFolder(path: string): Promise<Buffer>
  /** Returns the next entries; none at the end of the folder. */
  nextEntries(handle: Buffer): Promise<Entry[]>
  /** Returns the bytes at an offset; none at the end of the file. */
  read(handle: Buffer, offset: number, length: number): Promise<Buffer>
  write(handle: Buffer, offset: number, data: Buffer): Promise<void>
  truncate(handle: Buffer, size: number): Promise<void>
  /** Sets when a file was last changed before it was sent, in epoch milliseconds; of a folder, and of an open file that is read, nothing. */
  setTime(path: string, changedAt: number): Promise<void>
  setTimeOpen(handle: Buffer, changedAt: number): void
  statOpen(handle: Buffer): Pick<Entry, 'isFolder' | 'size' | 'modifiedAt'>
  /** Closes a handle. When this resolves, an uploaded file is in the store. */
  close(handle: Buffer): Promise<void>
  /** Closes all handles and stores no unfinished upload. */
  closeAll(): Promise<void>
}

/** The most entries in one response, so that it fits into the packet that clients accept. */
const ENTRIES = 100
const LONGEST_READ = 255 * 1_024

export function openSellerFiles(
  { drops, spool, folders, log, db: everyone, ...bounds }: FileDeps,
  seller: string,
  room: HandleRoom,
): SellerFiles {
  const db = everyone.as([seller])
  const tree = openDropTree(drops, folders, seller, (drop_id) => readClientTimes(db, { seller, drop_id }))
  const handles = openHandles(room)
  const keyOf = ({ drop, filename }: FilePlace): DropFileKey => ({ seller, drop_id: drop, filename })

  const openUpload = async (path: string, flags: number): Promise<Upload> => {
    const place = writableFile(path)
    const name = tree.nameOf(place)
    const object = await drops.stat(name)
    if (object === undefined && (flags & CREAT) === 0) throw missing(place.path)
    if (object !== undefined && (flags & EXCL) !== 0) throw failed(`${place.path} already exists.`)
    await tree.requireRoom(place, 0)
    await readLandingRoom(db, keyOf(place), bounds)
    const file = await spool.create(seller, mostBytesOf(place.filename))
    const upload: Upload = { kind: 'upload', place, file, changedAt: undefined, isBroken: false }
    try {
      // A client that omits TRUNC wants to change the existing content.
      const before = (flags & TRUNC) === 0 && object !== undefined ? await drops.get(name) : undefined
      for await (const chunk of before ?? []) await file.write(file.size, chunk)
      return upload
    } catch (error) {
      await file.close()
      throw error
    }
  }
  const land = async ({ place, file, changedAt, isBroken }: Upload) => {
    if (isBroken || !file.isWhole) throw failed(`${place.path} was not kept: not all of its bytes have arrived.`)
    await tree.requireRoom(place, file.size)
    await landing(place, file.size, async () => {
      const hash = createHash('sha256')
      await drops.put(tree.nameOf(place), hashing(file.bytes(), hash))
      log.info({ seller, name: tree.nameOf(place), size: file.size, sha256: hash.digest('hex') }, 'a file has landed')
      return file.size
    })
    if (changedAt !== undefined) await keepTime(place, changedAt)
  }
  /** Keeps the time of a file, since programs that mirror a folder send each file again whose time differs. */
  const keepTime = async (place: FilePlace, changedAt: number) => {
    const { tag } = await tree.stat(place.path)
    if (tag !== undefined) await recorded(place, () => keepClientTime(db, keyOf(place), { tag, changedAt }))
  }
  /** Reserves room for a file within the limits while it lands. `land` returns the file's size. */
  const landing = async (place: FilePlace, needed: number, land: () => Promise<number>, held = bounds) => {
    const begun = await beginLanding(db, keyOf(place), { needed }, held)
    const size = await land().catch(async (error: unknown) => {
      // If this fails, the reservation expires by itself.
      await abandonLanding(db, begun).catch(() => undefined)
      throw error
    })
    await recorded(place, () => landed(begun, size))
  }
  const landed = async (begun: Landing, size: number) => {
    await endLanding(db, begun, size)
    if (begun.filename === MANIFEST_FILE) await notifyLanding(db, seller, begun.drop_id)
  }
  /** Only logs a failure, since the file is stored and the worker finds a manifest in any case: the client's request has succeeded. */
  const recorded = async ({ path }: FilePlace, record: () => Promise<void>) => {
    await record().catch((err: unknown) => log.warn({ err, seller, path }, 'what became of a file could not be recorded'))
  }

  return {
    stat: tree.stat,
    makeFolder: tree.makeFolder,
    removeFolder: tree.removeFolder,
    async removeFile(path) {
      await tree.removeFile(path)
      const place = removableFile(path)
      await recorded(place, () => deleteLanding(db, keyOf(place)))
    },
    async rename(from, to) {
      const [source, target] = [writableFile(from), writableFile(to)]
      const { size, modifiedAt } = await tree.stat(from)
      requireSize(target, size)
      // A rename does not change the seller's total bytes, nor those of the drop if the file stays within it.
      const needed = source.drop === target.drop ? 0 : size
      await landing(target, needed, () => tree.rename(from, to), { ...bounds, dropBytesPerSeller: 0 })
      if (source.path === target.path) return
      await keepTime(target, modifiedAt)
      await recorded(source, () => deleteLanding(db, keyOf(source)))
    },
    async openFile(path, flags) {
      handles.requireRoom()
      if ((flags & APPEND) !== 0) throw unsupported('Files cannot be appended to: send the whole file.')
      if ((flags & READ) !== 0 && (flags & WRITE) !== 0) throw unsupported('Open a file to read or to write it, not both.')
      if ((flags & WRITE) !== 0) return handles.add(await openUpload(path, flags))
      const place = placeOf(path)
      if (place.kind === 'root' || place.kind === 'drop') throw failed(`${place.path} is a folder.`)
      const download =
        place.kind === 'file' ? await openDownload(drops, tree.nameOf(place), () => spool.create(seller, BYTES_PER_DROP_FILE)) : undefined
      if (download === undefined) throw missing(place.path)
      const { modifiedAt } = await tree.stat(path).catch(() => download)
      return handles.add({ ...download, modifiedAt })
    },
    async openFolder(path) {
      handles.requireRoom()
      const entries = await tree.list(path)
      return handles.add({ kind: 'listing', entries: entries[Symbol.asyncIterator]() })
    },
    async nextEntries(handle) {
      const opened = handles.get(handle)
      if (opened.kind !== 'listing') throw failed('This handle is of a file.')
      const page: Entry[] = []
      while (page.length < ENTRIES) {
        const { value, done } = await opened.entries.next()
        if (done === true) break
        page.push(value)
      }
      return page
    },
    async read(handle, offset, length) {
      const opened = handles.get(handle)
      if (opened.kind !== 'download') throw failed('This handle is not of a file that was opened to read it.')
      return opened.read(requireOffset(offset), Math.min(length, LONGEST_READ))
    },
    async write(handle, offset, data) {
      const opened = requireUpload(handle)
      try {
        await opened.file.write(requireOffset(offset), data)
      } catch (error) {
        opened.isBroken = true
        throw error
      }
    },
    async setTime(path, changedAt) {
      const place = placeOf(path)
      if (place.kind === 'file') await keepTime(place, changedAt)
      else if (place.kind === 'nowhere') throw missing(place.path)
    },
    setTimeOpen(handle, changedAt) {
      const opened = handles.get(handle)
      if (opened.kind === 'upload') opened.changedAt = changedAt
    },
    async truncate(handle, size) {
      await requireUpload(handle).file.truncate(requireOffset(size))
    },
    statOpen(handle) {
      const opened = handles.get(handle)
      if (opened.kind === 'listing') return { isFolder: true, size: 0, modifiedAt: Date.now() }
      if (opened.kind === 'upload') return { isFolder: false, size: opened.file.size, modifiedAt: Date.now() }
      return { isFolder: false, size: opened.size, modifiedAt: opened.modifiedAt }
    },
    async close(handle) {
      const opened = handles.remove(handle)
      try {
        if (opened.kind === 'upload') await land(opened)
      } finally {
        await closeOpened(opened)
      }
    },
    closeAll: handles.closeAll,
  }

  function requireUpload(handle: Buffer): Upload {
    const opened = handles.get(handle)
    if (opened.kind !== 'upload') throw failed('This handle is not of a file that was opened to write it.')
    return opened
  }
}

function requireSize({ filename }: FilePlace, size: number): void {
  const max = mostBytesOf(filename)
  if (size > max) throw failed(`${filename} may have at most ${max} bytes; it has ${size}.`)
}

function requireOffset(offset: number): number {
  if (!Number.isSafeInteger(offset)) throw failed('An offset must be a whole number below 2^53.')
  return offset
}

async function* hashing(bytes: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}

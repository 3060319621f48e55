import type { ObjectStorage, StoredObject } from '../src/adapters/files/objectStorage/storage.ts'
import { BYTES_PER_DROP } from '../src/contract/vocabulary/drops.ts'
import type { ClientTime } from '../src/store/drops/clientTimes.ts'
import { denied, failed, missing } from './fault.ts'
import type { MadeFolders } from './madeFolders.ts'
import { type FilePlace, type Place, placeOf, removableFile, writableFile } from './place.ts'

/** A file or a folder, as clients list it. */
export interface Entry {
  readonly filename: string
  readonly isFolder: boolean
  readonly size: number
  /** In epoch milliseconds. */
  readonly modifiedAt: number
  /** Of a file, what identifies its content (`StoredObject.tag`). */
  readonly tag?: string
}

/** Returns when the files of a drop were last changed before they were sent, by file name. */
type ClientTimes = (drop: string) => Promise<ReadonlyMap<string, ClientTime>>

/** One seller's part of the store as a tree of two levels, drops and their files. No path leads out of it. */
export interface DropTree {
  stat(path: string): Promise<Entry>
  list(path: string): Promise<AsyncIterable<Entry>>
  makeFolder(path: string): Promise<void>
  removeFolder(path: string): Promise<void>
  removeFile(path: string): Promise<void>
  /** Replaces a file that already has the new name, as writing to that name would. Returns the size of the file. */
  rename(from: string, to: string): Promise<number>
  /** Returns the name of a file in the store. */
  nameOf(place: FilePlace): string
  /** Refuses a file that exceeds the limits of its drop. */
  requireRoom(place: FilePlace, size: number): Promise<void>
}

/** Enough for the files that a manifest may list, the manifest, the files of the service, and as many again under temporary names. */
const FILES_PER_FOLDER = 128

export function openDropTree(drops: ObjectStorage, folders: MadeFolders, seller: string, timesOf: ClientTimes): DropTree {
  const nameOf = ({ drop, filename }: FilePlace) => `${seller}/${drop}/${filename}`
  const prefixOf = (drop: string) => `${seller}/${drop}/`
  const firstIn = async (drop: string): Promise<StoredObject | undefined> => {
    for await (const object of drops.list(prefixOf(drop))) return object
    return undefined
  }
  const statDrop = async (drop: string): Promise<Entry | undefined> => {
    const modifiedAt = (await firstIn(drop))?.modifiedAt ?? folders.madeAt(seller, drop)
    return modifiedAt === undefined ? undefined : folder(drop, modifiedAt)
  }
  const stat = async (path: string): Promise<Entry> => {
    const place = placeOf(path)
    if (place.kind === 'root') return folder('/', Date.now())
    if (place.kind === 'drop') return (await statDrop(place.drop)) ?? refuse(missing(place.path))
    const object = place.kind === 'file' ? await drops.stat(nameOf(place)) : undefined
    return object === undefined || place.kind !== 'file' ? refuse(missing(place.path)) : fileOf(object, await timesOf(place.drop))
  }
  const requireRoom = async (place: FilePlace, size: number) => {
    let [files, bytes] = [1, size]
    for await (const object of drops.list(prefixOf(place.drop))) {
      if (object.name === nameOf(place)) continue
      files += 1
      bytes += object.size
    }
    if (files > FILES_PER_FOLDER) throw failed(`A drop may have at most ${FILES_PER_FOLDER} files.`)
    if (bytes > BYTES_PER_DROP) throw failed(`The files of a drop may have at most ${BYTES_PER_DROP} bytes in all.`)
  }
  return {
    stat,
    nameOf,
    requireRoom,
    async list(path) {
      const place = placeOf(path)
      if (place.kind === 'root') return dropsOf(drops, folders, seller)
      if (place.kind !== 'drop') throw missing(`The folder ${place.path}`)
      if ((await statDrop(place.drop)) === undefined) throw missing(place.path)
      return filesOf(drops, prefixOf(place.drop), await timesOf(place.drop))
    },
    async makeFolder(path) {
      const place = folderPlace(path)
      if ((await statDrop(place.drop)) !== undefined) throw failed(`${place.path} already exists.`)
      folders.add(seller, place.drop)
    },
    async removeFolder(path) {
      const place = folderPlace(path)
      if ((await firstIn(place.drop)) !== undefined) throw failed(`${place.path} is not empty.`)
      if (!folders.remove(seller, place.drop)) throw missing(place.path)
    },
    async removeFile(path) {
      const place = removableFile(path)
      if (!(await drops.exists(nameOf(place)))) throw missing(place.path)
      await drops.delete(nameOf(place))
      // The folder stays after its last file is removed, as in a file system.
      if ((await firstIn(place.drop)) === undefined) folders.add(seller, place.drop)
    },
    async rename(from, to) {
      const [source, target] = [writableFile(from), writableFile(to)]
      const object = await drops.stat(nameOf(source))
      if (object === undefined) throw missing(source.path)
      if (nameOf(source) === nameOf(target)) return object.size
      if (source.drop !== target.drop) await requireRoom(target, object.size)
      const bytes = await drops.get(nameOf(source))
      if (bytes === undefined) throw missing(source.path)
      await drops.put(nameOf(target), bytes)
      await drops.delete(nameOf(source))
      return object.size
    },
  }
}

function folderPlace(path: string): Extract<Place, { kind: 'drop' }> {
  const place = placeOf(path)
  if (place.kind === 'nowhere') throw denied(place.why)
  if (place.kind !== 'drop') throw denied('Folders are those of drops, directly in /.')
  return place
}

async function* dropsOf(drops: ObjectStorage, folders: MadeFolders, seller: string): AsyncGenerator<Entry> {
  const made = new Set(folders.of(seller))
  let last: string | undefined
  for await (const { name, modifiedAt } of drops.list(`${seller}/`)) {
    const [, drop = '', filename] = name.split('/')
    if (filename === undefined || drop === last) continue
    last = drop
    made.delete(drop)
    yield folder(drop, modifiedAt)
  }
  for (const drop of made) yield folder(drop, folders.madeAt(seller, drop) ?? Date.now())
}

async function* filesOf(drops: ObjectStorage, prefix: string, times: ReadonlyMap<string, ClientTime>): AsyncGenerator<Entry> {
  for await (const object of drops.list(prefix)) if (!object.name.slice(prefix.length).includes('/')) yield fileOf(object, times)
}

/** Returns a file with the time that its client has set, as long as its content is the same. */
function fileOf({ name, size, modifiedAt, tag }: StoredObject, times: ReadonlyMap<string, ClientTime>): Entry {
  const filename = name.slice(name.lastIndexOf('/') + 1)
  const set = times.get(filename)
  return { filename, isFolder: false, size, modifiedAt: set?.tag === tag ? set.changedAt : modifiedAt, tag }
}

function folder(filename: string, modifiedAt: number): Entry {
  return { filename, isFolder: true, size: 0, modifiedAt }
}

function refuse(fault: Error): never {
  throw fault
}

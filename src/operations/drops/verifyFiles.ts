import type { StoredObject } from '../../adapters/files/objectStorage/storage.ts'
import type { Manifest } from '../../contract/drop.ts'
import { formatOf } from '../../contract/vocabulary/dropFormats.ts'
import { type DropFormat, SERVICE_FILES } from '../../contract/vocabulary/drops.ts'
import { hashFaults, landedFaults, type NamedFile } from '../../domain/drops/landedFaults.ts'
import { Refusal, refuseIfAny } from '../../domain/refusal.ts'
import type { DropRunFile } from '../../store/drops/drops.ts'
import { folderOf, objectOf } from './dropNames.ts'
import { type HashDeps, hashObject } from './hashObject.ts'

/**
 * Returns the files of a manifest as they have landed. NOT_FOUND if none has; INVALID_INPUT if a file is missing, too large or has other
 * bytes; UNAVAILABLE if hashing exceeds `patienceMs`: finished hashes are kept, so the same manifest may be sent again.
 */
export async function verifyFiles(
  deps: HashDeps,
  seller: string,
  { drop_id, files }: Manifest,
  patienceMs: number,
): Promise<DropRunFile[]> {
  const named = files.map((file) => ({ ...file, format: formatOf(file) as DropFormat }))
  const landed = await Promise.all(named.map(({ filename }) => deps.drops.stat(objectOf(seller, drop_id, filename))))
  const names = landed.every((object) => object !== undefined) ? [] : await namesIn(deps, folderOf(seller, drop_id))
  if (landed.every((object) => object === undefined) && names.length === 0)
    throw new Refusal('NOT_FOUND', `The drop ${drop_id} has not landed: it has no files yet.`)
  refuseIfAny(landedFaults(named, landed, names))
  const objects = landed as StoredObject[]
  const hashes = await hashAll(deps, seller, drop_id, named, objects, AbortSignal.timeout(patienceMs))
  refuseIfAny(hashFaults(named, hashes))
  return named.map(({ filename, type, format, sha256, mapping }, index) => {
    const { tag, size } = objects[index] as StoredObject
    return { filename, type, format, sha256, tag, size, ...(mapping !== undefined && { mapping }) }
  })
}

async function hashAll(
  deps: HashDeps,
  seller: string,
  drop_id: string,
  files: readonly NamedFile[],
  objects: readonly StoredObject[],
  signal: AbortSignal,
): Promise<string[]> {
  const hashes: string[] = []
  try {
    for (const [index, { filename }] of files.entries()) {
      const sha256 = await hashObject(deps, { seller, drop_id, filename }, objects[index] as StoredObject, signal)
      if (sha256 === undefined) throw new Refusal('UNAVAILABLE', `${filename} was replaced while it was read; send the manifest again.`)
      hashes.push(sha256)
    }
    return hashes
  } catch (error) {
    if (!signal.aborted) throw error
    const message = `The files take longer to hash than one request may; ${hashes.length} of ${files.length} are done: send the manifest again.`
    throw new Refusal('UNAVAILABLE', message)
  }
}

/** The most names to compare a missing one with, since a folder may have any number. */
const MAX_NAMES = 1_000

async function namesIn({ drops }: HashDeps, folder: string): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of drops.list(folder)) {
    const filename = name.slice(folder.length)
    if (filename.includes('/') || (SERVICE_FILES as readonly string[]).includes(filename)) continue
    names.push(filename)
    if (names.length === MAX_NAMES) break
  }
  return names
}

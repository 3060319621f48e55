import { createHash } from 'node:crypto'
import type { ObjectStorage, StoredObject } from '../../adapters/files/objectStorage/storage.ts'
import { fairTurns } from '../../domain/fairTurns.ts'
import type { Database } from '../../store/connection/database.ts'
import { type DropFileKey, findHash, keepHash } from '../../store/drops/dropFiles.ts'
import { objectOf } from './dropNames.ts'

export interface HashDeps {
  readonly db: Database
  readonly drops: ObjectStorage
}

/** The number of objects that one process hashes concurrently. */
const MAX_CONCURRENT = 4
const turns = fairTurns({ permits: MAX_CONCURRENT, perTenant: 1 })

/** A store that delivers nothing for this long counts as unreachable. */
const LONGEST_MS = 10 * 60_000

/** Hashes in progress, by object and tag, so that a repeated request waits for the hash that an earlier one has begun. */
const underWay = new WeakMap<ObjectStorage, Map<string, Promise<string | undefined>>>()

/**
 * Returns the SHA-256 of the object version with this tag; undefined if it was replaced or removed. The hash is kept in the database. If
 * `signal` aborts, this rejects with its reason, but a hash in progress continues, so that the next request finds it.
 */
export async function hashObject(
  deps: HashDeps,
  key: DropFileKey,
  object: StoredObject,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const known = await findHash(deps.db, key, object.tag)
  if (known !== undefined) return known
  const hashing = underWay.get(deps.drops) ?? new Map<string, Promise<string | undefined>>()
  underWay.set(deps.drops, hashing)
  const id = `${object.name} ${object.tag}`
  const begun = hashing.get(id)
  if (begun !== undefined) return untilAborted(begun, signal)
  const release = await turns.take(key.seller, signal)
  const begin = hashAndKeep(deps, key, object).finally(() => {
    release()
    hashing.delete(id)
  })
  begin.catch(() => undefined)
  hashing.set(id, begin)
  return untilAborted(begin, signal)
}

async function hashAndKeep({ db, drops }: HashDeps, key: DropFileKey, { tag }: StoredObject): Promise<string | undefined> {
  const name = objectOf(key.seller, key.drop_id, key.filename)
  const bytes = await drops.get(name)
  if (bytes === undefined) return undefined
  const tooLong = setTimeout(() => bytes.destroy(new Error(`${name} could not be read within ${LONGEST_MS / 60_000} minutes`)), LONGEST_MS)
  try {
    const hash = createHash('sha256')
    for await (const chunk of bytes) hash.update(chunk as Uint8Array)
    const now = await drops.stat(name)
    if (now?.tag !== tag) return undefined
    const sha256 = hash.digest('hex')
    await keepHash(db, key, { size: now.size, tag, sha256 })
    return sha256
  } finally {
    clearTimeout(tooLong)
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error)
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })
}

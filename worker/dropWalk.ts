import { randomUUID } from 'node:crypto'
import type { ObjectStorage, StoredObject } from '../src/adapters/files/objectStorage/storage.ts'
import { MANIFEST_FILE } from '../src/contract/vocabulary/drops.ts'
import { landingOf } from '../src/operations/drops/lookAtManifest.ts'
import type { Database } from '../src/store/connection/database.ts'
import { holdWatch, noteManifests, releaseWatch, sellersToWatch } from '../src/store/drops/landedManifests.ts'
import { KEPT_DAYS, noteOldFiles, type OldFile } from '../src/store/drops/oldDrops.ts'

/** A walk through the store of drops, in steps. */
export interface DropWalk {
  /** Continues the walk for a while, unless another worker is walking. */
  on(stopping: AbortSignal): Promise<void>
  /** Releases the walk, so that another worker need not wait until this one's hold expires. */
  end(): Promise<void>
}

export interface WalkSpeed {
  /** The approximate duration of a step. */
  readonly walkMs: number
  /** How many sellers a step covers concurrently. */
  readonly sellersAtOnce: number
}

/** How many objects of one seller a step covers. */
const OBJECTS_A_STEP = 2_000

/**
 * Walks through the store seller by seller, and records the manifests and the files that are old enough to be deleted. If a seller has more
 * objects than a step covers, a later step continues there.
 */
export function dropWalk({ db, drops }: { db: Database; drops: ObjectStorage }, { walkMs, sellersAtOnce }: WalkSpeed): DropWalk {
  const watcher = randomUUID()
  const walks = new Map<string, AsyncIterator<StoredObject>>()
  let last = ''

  const pass = async (seller: string, until: number): Promise<void> => {
    const walk = walks.get(seller) ?? drops.list(`${seller}/`)[Symbol.asyncIterator]()
    walks.set(seller, walk)
    const found: { drop_id: string; tag: string }[] = []
    const old: OldFile[] = []
    // A bucket is listed in pages, so a step covers at least one object, however long its page takes.
    for (let passed = 0; passed < OBJECTS_A_STEP && (passed < 1 || performance.now() < until); passed += 1) {
      const { done, value } = await walk.next()
      if (done === true) {
        walks.delete(seller)
        break
      }
      const object = value as StoredObject
      const [, drop_id = '', ...rest] = object.name.split('/')
      if (rest.length === 1 && rest[0] === MANIFEST_FILE) found.push({ drop_id, tag: landingOf(object) })
      if (isOld(object))
        old.push({ drop_id, filename: rest.join('/'), size: object.size, landed_at: new Date(object.modifiedAt).toISOString() })
    }
    await noteManifests(db, seller, found)
    await noteOldFiles(db, seller, old)
  }

  const leave = async () => {
    for (const walk of walks.values()) await walk.return?.()
    walks.clear()
  }

  return {
    async on(stopping) {
      if (!(await holdWatch(db, watcher))) return leave()
      const all = await sellersToWatch(db)
      const start = all.findIndex((seller) => seller > last)
      const inTurn = start < 0 ? all : [...all.slice(start), ...all.slice(0, start)]
      const until = performance.now() + walkMs
      const failures: unknown[] = []
      const passNext = async (): Promise<void> => {
        for (let seller = inTurn.shift(); seller !== undefined; seller = inTurn.shift()) {
          if (stopping.aborted || performance.now() >= until || failures.length > 0) return
          last = seller
          const passed = seller
          await pass(passed, until).catch((error: unknown) => {
            walks.delete(passed)
            failures.push(error)
          })
        }
      }
      await Promise.all(Array.from({ length: sellersAtOnce }, passNext))
      if (failures.length > 0) throw failures[0]
    },
    async end() {
      await leave()
      await releaseWatch(db, watcher).catch(() => undefined)
    },
  }
}

function isOld({ modifiedAt }: StoredObject): boolean {
  return modifiedAt < Date.now() - KEPT_DAYS * 86_400_000
}

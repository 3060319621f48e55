import { randomUUID } from 'node:crypto'
import type { StoredObject } from '../src/adapters/objectStorage.ts'
import { MANIFEST_FILE } from '../src/contract/vocabulary/drops.ts'
import { objectOf } from '../src/drops/dropNames.ts'
import { landResult } from '../src/drops/landResult.ts'
import { landingOf, lookAtManifest } from '../src/drops/lookAtManifest.ts'
import type { RegisterDeps } from '../src/drops/registerManifest.ts'
import { listen } from '../src/store/connection/listen.ts'
import { DROPS_CHANNEL, unlandedResults } from '../src/store/drops/landed.ts'
import { claimManifest, dueSellers, holdWatch, noteManifests, releaseWatch, sellersToWatch } from '../src/store/drops/landedManifests.ts'
import { type Repeated, repeat } from './repeat.ts'

export interface DropWatchDeps extends RegisterDeps {
  readonly databaseUrl: string
  /** Between two looks. */
  readonly pauseMs: number
  readonly logger: { warn(message: string, meta?: Record<string, unknown>): void }
}

/** Between two looks at a directory, and at a bucket, where listing costs. */
export const LOOK_MS = { directory: 5_000, s3: 10_000 } as const

/**
 * Starts watching the store of drops: manifests that have landed are registered or refused, and results that have not landed are. Several workers may
 * watch: one of them walks through the store, and each manifest is looked at by one at a time.
 */
export function startDropWatch(deps: DropWatchDeps): Repeated {
  const { db, drops, databaseUrl, pauseMs, logger } = deps
  const walk = walker(deps)
  const failed = (what: string) => (error: unknown) => logger.warn(`${what}; trying again`, { error })
  const looking = repeat(
    pauseMs,
    async (stopping) => {
      await walk.on(stopping)
      await workOff(deps, stopping)
      for (const { seller, drop_id } of await unlandedResults(db, RESULTS_A_LOOK))
        await landResult(deps, seller, drop_id).catch(failed('the result of a drop cannot be landed'))
    },
    failed('file drops cannot be watched'),
  )
  const stopping = new AbortController()
  const ring = async (payload: string) => {
    const [seller = '', drop_id = ''] = payload.split('/')
    const object = await drops.stat(objectOf(seller, drop_id, MANIFEST_FILE))
    if (object !== undefined) await noteManifests(db, seller, [{ drop_id, tag: landingOf(object) }])
    await workOff(deps, stopping.signal)
  }
  const rung = new Set<Promise<void>>()
  const ear = listen(databaseUrl, DROPS_CHANNEL, (payload) => {
    // What is too much at once is found by the walk.
    if (payload === undefined || rung.size >= RINGS_AT_ONCE) return
    const ringing = ring(payload)
      .catch(failed('a manifest cannot be looked at'))
      .finally(() => rung.delete(ringing))
    rung.add(ringing)
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all([ear.close(), looking.stop(), ...rung])
      await walk.end()
    },
  }
}

const RESULTS_A_LOOK = 50
const RINGS_AT_ONCE = 100
const SELLERS_AT_ONCE = 4
const SELLERS_A_ROUND = 100

/** After this the walk goes on, and what is left waits for the next look. */
const WORK_MS = 5_000

/** Looks at what is due, a manifest of each seller a round, so that one with many costs the others one turn. */
async function workOff(deps: DropWatchDeps, stopping: AbortSignal): Promise<void> {
  const until = performance.now() + WORK_MS
  for (let sellers = await dueSellers(deps.db, SELLERS_A_ROUND); sellers.length > 0 && !stopping.aborted && performance.now() < until; ) {
    let looked = 0
    const lookAtNext = async (): Promise<void> => {
      for (let seller = sellers.pop(); seller !== undefined && !stopping.aborted; seller = sellers.pop()) {
        const landed = await claimManifest(deps.db, seller)
        if (landed === undefined) continue
        looked += 1
        await lookAtManifest(deps, landed).catch((error) => {
          deps.logger.warn('a manifest cannot be looked at; trying again', { error, seller, drop_id: landed.drop_id })
        })
      }
    }
    await Promise.all(Array.from({ length: SELLERS_AT_ONCE }, lookAtNext))
    if (looked === 0) return
    sellers = await dueSellers(deps.db, SELLERS_A_ROUND)
  }
}

/** Objects of one seller that a look passes, and the time that a look walks: a store of any size costs a tenth of a core at most. */
const OBJECTS_A_LOOK = 2_000
const WALK_MS = 500

/**
 * Walks through the store, seller by seller, and notes the manifests that it passes. Where a seller has more than a look passes, the next look goes on
 * from there.
 */
function walker({ db, drops }: DropWatchDeps) {
  const watcher = randomUUID()
  const walks = new Map<string, AsyncIterator<StoredObject>>()
  let last = ''

  const pass = async (seller: string, until: number): Promise<void> => {
    const walk = walks.get(seller) ?? drops.list(`${seller}/`)[Symbol.asyncIterator]()
    walks.set(seller, walk)
    const found: { drop_id: string; tag: string }[] = []
    for (let passed = 0; passed < OBJECTS_A_LOOK && performance.now() < until; passed += 1) {
      const { done, value } = await walk.next()
      if (done === true) {
        walks.delete(seller)
        break
      }
      const [, drop_id = '', filename, ...deeper] = (value as StoredObject).name.split('/')
      if (filename === MANIFEST_FILE && deeper.length === 0) found.push({ drop_id, tag: landingOf(value as StoredObject) })
    }
    await noteManifests(db, seller, found)
  }

  const leave = async () => {
    for (const walk of walks.values()) await walk.return?.()
    walks.clear()
  }

  return {
    async on(stopping: AbortSignal): Promise<void> {
      if (!(await holdWatch(db, watcher))) return leave()
      const all = await sellersToWatch(db)
      const start = all.findIndex((seller) => seller > last)
      const inTurn = start < 0 ? all : [...all.slice(start), ...all.slice(0, start)]
      const until = performance.now() + WALK_MS
      for (const seller of inTurn) {
        if (stopping.aborted || performance.now() >= until) return
        last = seller
        await pass(seller, until).catch(async (error: unknown) => {
          walks.delete(seller)
          throw error
        })
      }
    },
    /** Another worker need not wait until the hold of this one ends by itself. */
    async end(): Promise<void> {
      await leave()
      await releaseWatch(db, watcher).catch(() => undefined)
    },
  }
}

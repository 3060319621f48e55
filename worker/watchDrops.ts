import { MANIFEST_FILE } from '../src/contract/vocabulary/drops.ts'
import { objectOf } from '../src/operations/drops/dropNames.ts'
import { landResult } from '../src/operations/drops/landResult.ts'
import { landingOf } from '../src/operations/drops/lookAtManifest.ts'
import type { RegisterDeps } from '../src/operations/drops/registerManifest.ts'
import { listen } from '../src/store/connection/listen.ts'
import { DROPS_CHANNEL, unlandedResults } from '../src/store/drops/landed.ts'
import { noteManifests } from '../src/store/drops/landedManifests.ts'
import { dropWalk, type WalkSpeed } from './dropWalk.ts'
import { manifestLooks } from './manifestLooks.ts'
import { type Repeated, repeat } from './repeat.ts'

export interface DropWatchDeps extends RegisterDeps, WatchSpeed {
  readonly databaseUrl: string
  readonly logger: { warn(message: string, meta?: Record<string, unknown>): void }
}

export interface WatchSpeed extends WalkSpeed {
  /** The pause between two looks. */
  readonly pauseMs: number
}

/** Walking a directory uses a tenth of a processor; walking a bucket mostly waits for its pages. */
export const WATCH_SPEEDS = {
  directory: { pauseMs: 5_000, walkMs: 500, sellersAtOnce: 1 },
  s3: { pauseMs: 10_000, walkMs: 5_000, sellersAtOnce: 8 },
} as const satisfies Record<string, WatchSpeed>

/**
 * Starts watching the store of drops: registers or refuses manifests that have landed, and writes results that have not. Several workers
 * may watch: one of them walks through the store, and each manifest is checked by one worker at a time.
 */
export function startDropWatch(deps: DropWatchDeps): Repeated {
  const { db, drops, databaseUrl, pauseMs, logger } = deps
  const walk = dropWalk(deps, deps)
  const looks = manifestLooks(deps)
  const failed = (what: string) => (error: unknown) => logger.warn(`${what}; trying again`, { error })
  const looking = repeat(
    pauseMs,
    async (stopping) => {
      looks.wake()
      await walk.on(stopping)
      looks.wake()
      for (const { seller, drop_id } of await unlandedResults(db, RESULTS_A_LOOK))
        await landResult(deps, seller, drop_id).catch(failed('the result of a drop cannot be landed'))
    },
    failed('file drops cannot be watched'),
  )
  const noteLanding = async (payload: string) => {
    const [seller = '', drop_id = ''] = payload.split('/')
    const object = await drops.stat(objectOf(seller, drop_id, MANIFEST_FILE))
    if (object !== undefined) await noteManifests(db, seller, [{ drop_id, tag: landingOf(object) }])
    looks.wake()
  }
  const noting = new Set<Promise<void>>()
  const listener = listen(databaseUrl, DROPS_CHANNEL, (payload) => {
    // The walk finds the manifests of notifications that exceed the limit.
    if (payload === undefined || noting.size >= NOTED_PER_BATCH) return
    const noted = noteLanding(payload)
      .catch(failed('a manifest cannot be looked at'))
      .finally(() => noting.delete(noted))
    noting.add(noted)
  })
  return {
    async stop() {
      await Promise.all([listener.close(), looking.stop(), ...noting])
      await looks.stop()
      await walk.end()
    },
  }
}

const RESULTS_A_LOOK = 50
const NOTED_PER_BATCH = 100

import { setTimeout as sleep } from 'node:timers/promises'
import { lookAtManifest } from '../src/operations/drops/lookAtManifest.ts'
import type { RegisterDeps } from '../src/operations/drops/registerManifest.ts'
import { claimManifest, dueSellers } from '../src/store/drops/landedManifests.ts'

export interface ManifestLooks {
  /** Starts checking due manifests, if there are any. Returns at once. */
  wake(): void
  /** Starts no further check, and waits for the checks in progress. */
  stop(): Promise<void>
}

interface Deps extends RegisterDeps {
  readonly logger: { warn(message: string, meta?: Record<string, unknown>): void }
}

const MAX_CONCURRENT_SELLERS = 4
/** The most sellers in one round. */
const SELLERS_ASKED = 1_000
/** The pause after another worker has claimed the due manifest first. */
const MISSED_MS = 50

/**
 * Checks due manifests in rounds, one per seller at a time, so that a seller with many manifests, or with files that take long to hash,
 * delays other sellers by at most one check.
 */
export function manifestLooks(deps: Deps): ManifestLooks {
  const { db, logger } = deps
  const looking = new Set<Promise<void>>()
  const busy = new Set<string>()
  let round: string[] = []
  let wakes = 0
  let isStopping = false

  /** Returns undefined if nothing has become due since the last wake. */
  const nextSeller = async (): Promise<string | undefined> => {
    for (let asked = -1; !isStopping; ) {
      const at = round.findIndex((seller) => !busy.has(seller))
      const [seller] = at < 0 ? [] : round.splice(at, 1)
      if (seller !== undefined) busy.add(seller)
      if (seller !== undefined || asked === wakes) return seller
      asked = wakes
      round = await dueSellers(db, SELLERS_ASKED)
    }
    return undefined
  }
  const look = async (seller: string): Promise<void> => {
    const landed = await claimManifest(db, seller)
    if (landed === undefined) return void (await sleep(MISSED_MS))
    await lookAtManifest(deps, landed).catch((error) => {
      logger.warn('a manifest cannot be looked at; trying again', { error, seller, drop_id: landed.drop_id })
    })
  }
  const lookOn = async (): Promise<void> => {
    for (let seller = await nextSeller(); seller !== undefined; seller = await nextSeller()) {
      if (round.length > 0) begin()
      await look(seller).finally(() => busy.delete(seller as string))
    }
  }
  const begin = (): void => {
    if (isStopping || looking.size >= MAX_CONCURRENT_SELLERS) return
    const one = lookOn()
      .catch((error) => logger.warn('manifests cannot be looked at; trying again', { error }))
      .finally(() => looking.delete(one))
    looking.add(one)
  }
  return {
    wake() {
      wakes += 1
      begin()
    },
    async stop() {
      isStopping = true
      await Promise.all(looking)
    },
  }
}

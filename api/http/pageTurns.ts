import { type FairTurnsOptions, fairTurns } from '../../src/domain/fairTurns.ts'
import { overLimit } from '../../src/domain/overLimit.ts'

/**
 * Reads pages that may be large, a few at a time. Tenants take turns, so that a tenant with hundreds of requests delays no other
 * (architecture, Neighbors).
 */
export interface PageTurns {
  /** Refuses with RATE_LIMITED when too many pages of the tenant are already waiting. */
  inTurn<T>(tenant: string, read: () => Promise<T>): Promise<T>
}

/** Pages of the feed and of lists with many filters: fewer than database connections, so that other requests always find one. */
export const PAGES: FairTurnsOptions = { permits: 6, perTenant: 3 }
/** Replays and pages of simple lists, many of which are read in one statement. */
export const BATCHES: FairTurnsOptions = { permits: 32, perTenant: 16 }
const WAITING = 1_000

export function pageTurns(atOnce: FairTurnsOptions): PageTurns {
  const turns = fairTurns(atOnce)
  return {
    async inTurn(tenant, read) {
      if (turns.waiting(tenant) >= WAITING) {
        const message = `${WAITING} pages of this tenant wait to be read; ask for one at a time.`
        throw overLimit({ limit: 'pages', most: WAITING }, message, 1)
      }
      const release = await turns.take(tenant)
      try {
        return await read()
      } finally {
        release()
      }
    },
  }
}

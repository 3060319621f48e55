import { afterAll, beforeAll } from '@jest/globals'
import type pg from 'pg'
import { ownerPool } from './engines/database.ts'
import type { TestApp } from './http/app.ts'
import { expectInvariants } from './invariants/expectInvariants.ts'
import { type Market, startMarket } from './market.ts'

/** A resource that stops after the tests of a file or a describe. */
export interface Used {
  /** Registers work for after the last test, while everything still runs; the last registered work runs first. */
  beforeStop(work: () => unknown): void
  /** Returns the database as its owner, exempt from the policies of the tables, on one connection. */
  owner(): pg.Pool
}

/** The options; `useMarket` also takes a function of them if they depend on something that starts earlier. */
type Options = Parameters<typeof startMarket>[0]

/**
 * Provides a market for the tests of a file or a describe. It starts before the first; after the last its database's invariants are checked
 * and it stops. Nothing of it can be read before it has started.
 */
export function useMarket(options: Options | (() => Options) = {}): Market & Used {
  return used<Market>(() => startMarket(typeof options === 'function' ? options() : options))
}

export function used<App extends TestApp>(start: () => Promise<App>): App & Used {
  const works: (() => unknown)[] = []
  let pool: pg.Pool | undefined
  const use: Used = {
    beforeStop: (work) => void works.unshift(work),
    owner: () => (pool ??= ownerPool(app.databaseUrl)),
  }
  const app = use as App & Used
  beforeAll(async () => {
    Object.assign(app, await start())
  })
  afterAll(async () => {
    if (!Object.hasOwn(app, 'stop')) return
    try {
      for (const work of works) await work()
      await expectInvariants(app.databaseUrl)
    } finally {
      await pool?.end()
      await app.stop()
    }
  })
  return app
}

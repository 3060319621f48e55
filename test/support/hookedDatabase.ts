import type pg from 'pg'
import type { Database } from '../../src/store/connection/database.ts'

/** A test's hooks around a prepared statement, by its name: before it is sent, and after Postgres' answer but before the caller gets it. */
export interface StatementHooks {
  [statement: string]: { before?: () => unknown; after?: () => unknown } | undefined
}

/** Returns the same database with `hooks` around its statements; the hooks may be changed at any time. */
export function hookedDatabase(db: Database, hooks: StatementHooks): Database {
  const query = async (config: pg.QueryConfig | string, values?: unknown[]) => {
    const hook = typeof config === 'string' ? undefined : hooks[config.name ?? '']
    await hook?.before?.()
    const result = await db.pool.query(config as pg.QueryConfig, values)
    await hook?.after?.()
    return result
  }
  const pool = new Proxy(db.pool, { get: (target, key) => (key === 'query' ? query : Reflect.get(target, key)) })
  return { ...db, pool }
}

/** Creates a moment of a test: `has` resolves once `come` is called. */
export function moment(): { come: () => void; has: Promise<void> } {
  let come: () => void = () => undefined
  const has = new Promise<void>((resolve) => {
    come = resolve
  })
  return { come, has }
}

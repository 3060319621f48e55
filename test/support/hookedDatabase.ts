import type pg from 'pg'
import type { Database } from '../../src/store/connection/database.ts'

/** What a test does around a prepared statement, by its name: before it is sent, and between Postgres' answer and the moment when its caller hears of it. */
export interface StatementHooks {
  [statement: string]: { before?: () => unknown; after?: () => unknown } | undefined
}

/** The same database; what `hooks` says happens around its statements, and may be changed at any time. */
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

/** A moment of a test: `has` resolves once `come` is called. */
export function moment(): { come: () => void; has: Promise<void> } {
  let come: () => void = () => undefined
  const has = new Promise<void>((resolve) => {
    come = resolve
  })
  return { come, has }
}

import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** Kysely's hand on a connection whose transaction is under way: whoever began it ends it. */
export function txOn(client: pg.PoolClient): Tx {
  return kyselyOn(client) as Tx
}

/** Kysely's hand on one connection, which is its holder's to release. */
export function kyselyOn(client: pg.PoolClient): Kysely<Tables> {
  const held = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient
  const pool = { connect: async () => held, end: async () => undefined }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

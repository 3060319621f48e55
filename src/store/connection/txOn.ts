import { CompiledQuery, Kysely, PostgresDialect, type QueryResult } from 'kysely'
import type pg from 'pg'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** Kysely's hand on a connection whose transaction is under way: whoever began it ends it. */
export function txOn(client: pg.PoolClient): Tx {
  return kyselyOn(client) as Tx
}

/** Runs a raw statement in a transaction that kysely holds. */
export function runOn<Row>(tx: Tx, { text, values }: pg.QueryConfig): Promise<QueryResult<Row>> {
  return tx.executeQuery<Row>(CompiledQuery.raw(text, values))
}

/** Kysely's hand on one connection, which is its holder's to release. */
export function kyselyOn(client: pg.PoolClient): Kysely<Tables> {
  const held = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient
  const pool = { connect: async () => held, end: async () => undefined }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

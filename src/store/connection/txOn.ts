import { CompiledQuery, Kysely, PostgresDialect, type QueryResult } from 'kysely'
import type pg from 'pg'
import type { Tx } from './database.ts'
import type { Tables } from './tables.ts'

/** Returns a kysely transaction on a connection with an open transaction. The code that began it must end it. */
export function txOn(client: pg.PoolClient): Tx {
  return kyselyOn(client) as Tx
}

/** Runs a raw statement on a connection or in a transaction that kysely holds. */
export function runOn<Row>(tx: Kysely<Tables>, { text, values }: pg.QueryConfig): Promise<QueryResult<Row>> {
  return tx.executeQuery<Row>(CompiledQuery.raw(text, values))
}

/** Returns a kysely instance on one connection. The connection's holder must release it. */
export function kyselyOn(client: pg.PoolClient): Kysely<Tables> {
  const held = { query: client.query.bind(client), release: () => undefined } as unknown as pg.PoolClient
  const pool = { connect: async () => held, end: async () => undefined }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

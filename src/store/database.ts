import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

/** The application's two hands on one Postgres: kysely for what is asked now and then, `pool` with prepared statements for the hot paths. */
export interface Database {
  readonly sql: Kysely<Tables>
  readonly pool: pg.Pool
  close(): Promise<void>
}

/** "You must hold a transaction." */
export type Tx = Transaction<Tables>

/** Dates and numerics stay text: neither fits a JavaScript number or Date without loss. bigint is read as a number only where it counts rows. */
const TEXT = (value: string): string => value
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 1082 || oid === 1700) return TEXT // date, numeric
    if (oid === 1184) return isoInstant
    return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/** A timestamptz as ISO text; what Postgres writes in UTC with milliseconds needs no Date, of which a page of a list would make hundreds. */
function isoInstant(value: string): string {
  return value.length === 26 && value[10] === ' ' && value.endsWith('+00')
    ? `${value.slice(0, 10)}T${value.slice(11, 23)}Z`
    : new Date(value).toISOString()
}

/**
 * Opens the pool as the application's role, whoever the URL's user is: the owner of the tables is never at work outside `migrate`.
 * A transaction that hangs holds the feed back for everyone, hence the two time limits (promises, Storage).
 */
export function openDatabase(databaseUrl: string, { max = 16, statementTimeout = 5_000 } = {}): Database {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    types,
    options: '-c role=marketplace_app',
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: 5_000,
    application_name: 'order-marketplace',
  })
  pool.on('error', () => {}) // an idle connection that breaks is replaced at the next call; that call reports what is wrong
  // One that breaks between two statements of a transaction has nobody listening, which would end the process; the next statement reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const sql = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { sql, pool, close: () => sql.destroy() }
}

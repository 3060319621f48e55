import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { endWhenSilent } from './silentConnections.ts'
import type { Tables } from './tables.ts'
import { prepareForScope, type ScopeKey, scopedPool, sharedPool, type TenantScope } from './tenantScope.ts'

/** The application's two interfaces to one Postgres: kysely for occasional queries, `pool` with prepared statements for the hot paths. */
export interface Database {
  readonly sql: Kysely<Tables>
  readonly pool: pg.Pool
  /** The URL that it was opened with, by which another process of ours opens it. */
  readonly url: string
  /** The same database in the scope of only these tenants; the platform's own database sees everything in any case. */
  as(tenants: readonly string[]): Database
  /** The same database, with additional scope of the tenants that the acting tenants deal with. */
  withCounterparty(tenants: TenantScope['dealing']): Database
  close(): Promise<void>
}

/** A parameter of this type means that the caller must hold a transaction. */
export type Tx = Transaction<Tables>

/** Keeps dates and numerics as text: neither fits a JavaScript number or Date without loss. bigint is read as a number only for counts. */
const TEXT = (value: string): string => value
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 1082 || oid === 1700) return TEXT // date, numeric
    if (oid === 1184) return isoInstant
    return format === undefined ? pg.types.getTypeParser(oid) : pg.types.getTypeParser(oid, format as 'text')
  },
} as pg.CustomTypesConfig

/** Converts a timestamptz to ISO text. Postgres's UTC form with milliseconds needs no Date; a page of a list would create hundreds. */
export function isoInstant(value: string): string {
  return value.length === 26 && value[10] === ' ' && value.endsWith('+00')
    ? `${value.slice(0, 10)}T${value.slice(11, 23)}Z`
    : new Date(value).toISOString()
}

interface Opening {
  /** The process, which `pg_stat_activity` shows as the name of its connections: `order-marketplace-{process}`. */
  process?: 'api' | 'worker' | 'sftp' | 'bounces'
  max?: number
  statementTimeout?: number
}

/**
 * Opens the database for the platform's own work on every tenant's data, as the role `marketplace_platform`, regardless of the URL's user.
 * Only `migrate` works as the owner of the tables. The API works through `openTenantDatabase`.
 */
export function openDatabase(databaseUrl: string, opening: Opening = {}): Database {
  const pool = openPool(databaseUrl, 'marketplace_platform', opening)
  const database: Database = databaseOver(pool, { url: databaseUrl, as: () => database, withCounterparty: () => database })
  return database
}

/**
 * Opens the database for work in the name of tenants, as the role `marketplace_app`: the tables' policies show it only what a scope
 * reaches. `as` gives the database of one tenant that acts; without a scope only what is published to everybody is visible (choices,
 * Tenancy: without a scope).
 */
export function openTenantDatabase(databaseUrl: string, key: ScopeKey, opening: Opening = {}): Database {
  const pool = openPool(databaseUrl, 'marketplace_app', { ...opening, onConnect: prepareForScope })
  const scoped = (scope: TenantScope): Database =>
    databaseOver(scopedPool(pool, key, scope), {
      url: databaseUrl,
      as: (tenants) => scoped({ acting: tenants, dealing: [] }),
      withCounterparty: (tenants) => scoped({ acting: scope.acting, dealing: tenants }),
    })
  return scoped(NOBODY)
}

const NOBODY: TenantScope = { acting: [], dealing: [] }

/** Creates the kysely instance on first use, since most requests need only the pool. */
function databaseOver(pool: pg.Pool, others: Pick<Database, 'url' | 'as' | 'withCounterparty'>): Database {
  let sql: Kysely<Tables> | undefined
  return {
    ...others,
    pool,
    get sql() {
      sql ??= new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
      return sql
    },
    close: () => sharedPool(pool).end(),
  }
}

/** How long an idle connection stays open: a new one plans each statement several times, at the cost of a hundred executions. */
const IDLE_MS = 60_000

/** With the longest silence it is less than ten seconds, within which every call is answered. */
const CONNECT_MS = 3_000

/**
 * Opens a pool with time limits, since a transaction that hangs delays the feed for everyone (architecture, Storage), and a database that
 * hangs would hold its callers.
 */
function openPool(
  databaseUrl: string,
  role: string,
  { process, max = 16, statementTimeout = 5_000, onConnect }: Opening & { onConnect?: (client: pg.ClientBase) => Promise<void> },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    keepAlive: true, // detects a connection whose other end has vanished
    onConnect: async (client) => {
      endWhenSilent(client, statementTimeout)
      await onConnect?.(client)
    },
    types,
    // A batched statement is planned for more rows than it reads, and JIT compilation would take many times as long as running it.
    options: `-c role=${role} -c jit=off`,
    statement_timeout: statementTimeout,
    idle_in_transaction_session_timeout: 10_000,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: IDLE_MS,
    application_name: process === undefined ? 'order-marketplace' : `order-marketplace-${process}`,
  })
  pool.on('error', () => {}) // an idle connection that breaks is replaced at the next call, which reports any problem
  // A connection that breaks between two statements of a transaction emits an error, which would end the process if unhandled. The next
  // statement reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

import { createHmac } from 'node:crypto'
import pg from 'pg'
import { statement } from './statement.ts'

/**
 * The rows that a transaction reaches (migration 0001): those of the tenants that it acts for and, for the few things that one tenant does
 * to another (an event in the other's feed, a call of the other's API), those that it deals with. The tables' policies enforce this.
 */
export interface TenantScope {
  readonly acting: readonly string[]
  readonly dealing: readonly string[] | typeof EVERYONE
  /** The tenant's new orders, whose ids the service has just made: the transaction may begin their logs. */
  readonly creating?: readonly string[]
}

/** The scope of all tenants, since a seller's publish may have to notify every buyer. */
export const EVERYONE = 'everyone'

/** The key that signs a scope: SQL could set the setting, but cannot sign it. */
export type ScopeKey = Buffer

/** Returns the pool with this scope: every statement and every transaction first sets the scope, in the same round trip. */
export function scopedPool(pool: pg.Pool, key: ScopeKey, scope: TenantScope): pg.Pool {
  const scoped = {
    [SCOPED]: { pool, key, scope },
    query: (config: pg.QueryConfig | string, values?: unknown[]) => pool.query(new ScopedQuery(config, values, signed(key, scope))),
    connect: async () => scopedClient(await pool.connect(), key, scope),
    end: async () => undefined,
  }
  return scoped as unknown as pg.Pool
}

/** Widens a pool, or a connection for the rest of its transaction, to these tenants. The platform deals with everybody anyway. */
export function withCounterparty<On extends pg.Pool | pg.PoolClient>(on: On, tenants: TenantScope['dealing']): On {
  const scoping = (on as Partial<HasScope>)[SCOPED]
  return scoping === undefined ? on : scopedTo(on, scoping, extended(scoping.scope, tenants))
}

/** Widens it for a statement that creates these orders between these tenants. */
export function creatingOrders<On extends pg.Pool | pg.PoolClient>(on: On, orderIds: readonly string[], tenants: readonly string[]): On {
  const scoping = (on as Partial<HasScope>)[SCOPED]
  return scoping === undefined ? on : scopedTo(on, scoping, { ...extended(scoping.scope, tenants), creating: orderIds })
}

/** Returns the underlying pool that every restricted view of it shares. */
export function sharedPool(pool: pg.Pool): pg.Pool {
  const scoping = (pool as Partial<HasScope>)[SCOPED]
  return scoping !== undefined && 'pool' in scoping ? scoping.pool : pool
}

/** Returns the underlying connection of a restricted view of it. */
export function sharedClient(client: pg.PoolClient): pg.PoolClient {
  const scoping = (client as Partial<HasScope>)[SCOPED]
  return scoping !== undefined && 'client' in scoping ? scoping.client : client
}

/** Returns the pool in the combined scope of these pools, for one statement that asks for all of them. */
export function poolForAll(asking: readonly pg.Pool[]): pg.Pool {
  const pools = [...new Set(asking)]
  const [first] = pools as [pg.Pool]
  const scoping = pools.flatMap((pool) => (pool as Partial<HasScope>)[SCOPED] ?? [])
  const [one] = scoping
  if (one === undefined || !('pool' in one) || pools.length === 1) return first
  return scopedPool(one.pool, one.key, {
    acting: [...new Set(scoping.flatMap(({ scope }) => scope.acting))],
    dealing: scoping.map(({ scope }) => scope.dealing).reduce(both),
  })
}

/** Prepares the scope statements on a new connection, so that no later statement has to. */
export async function prepareForScope(client: pg.ClientBase): Promise<void> {
  await client.query(ENTER.bind({ acting: '', dealing: '' }))
  await client.query(ENTER_CREATING.bind({ acting: '', dealing: '', creating: '' }))
}

const SCOPED = Symbol('scope')
type Scoping = { key: ScopeKey; scope: TenantScope } & ({ pool: pg.Pool } | { client: pg.PoolClient })
type HasScope = { [SCOPED]: Scoping }

function scopedTo<On extends pg.Pool | pg.PoolClient>(_on: On, scoping: Scoping, scope: TenantScope): On {
  return ('client' in scoping ? scopedClient(scoping.client, scoping.key, scope, true) : scopedPool(scoping.pool, scoping.key, scope)) as On
}

function extended({ acting, dealing }: TenantScope, tenants: TenantScope['dealing']): TenantScope {
  return { acting, dealing: both(dealing, tenants) }
}

function both(one: TenantScope['dealing'], other: TenantScope['dealing']): TenantScope['dealing'] {
  return one === EVERYONE || other === EVERYONE ? EVERYONE : [...new Set([...one, ...other])]
}

/**
 * Wraps a connection. A transaction's setting lasts to its end, so the first statement after `begin` sets it. On a connection `extended` in
 * a transaction, the first statement with the wider scope sets it. `begin` is sent alone, since nothing may precede the isolation level.
 */
function scopedClient(client: pg.PoolClient, key: ScopeKey, scope: TenantScope, extended = false): pg.PoolClient {
  let enters = extended
  const scoped = {
    [SCOPED]: { client, key, scope },
    query: (config: pg.QueryConfig | string | pg.Submittable, values?: unknown[]) => {
      if (typeof config === 'object' && 'submit' in config) return client.query(config)
      const begins = BEGIN.test(typeof config === 'string' ? config : config.text)
      if (begins || !(enters || statusOf(client) === IDLE)) {
        enters ||= begins
        return client.query(config as pg.QueryConfig, values)
      }
      enters = false
      return new Promise((resolve, reject) => {
        const query = new ScopedQuery(config, values, signed(key, scope))
        query.callback = (error, result) => (error ? reject(error) : resolve(result))
        client.query(query)
      })
    },
    release: (error?: Error | boolean) => client.release(error),
  }
  return scoped as unknown as pg.PoolClient
}

const BEGIN = /^(begin|start transaction)\b/i

/** Returns the connection's status as the server last reported it: idle, in a transaction, or in a failed one. */
function statusOf(client: pg.PoolClient): string | null {
  return (client as unknown as { getTransactionStatus(): string | null }).getTransactionStatus()
}
const IDLE = 'I'

type Settings = readonly [acting: string, dealing: string] | readonly [acting: string, dealing: string, creating: string]

const remembered = new WeakMap<ScopeKey, Map<string, readonly [acting: string, dealing: string]>>()
const REMEMBERED = 10_000

/** The length of the hex HMAC that each setting begins with. */
const HMAC_DIGITS = 64

/** Signs a scope. Signs the list of new orders with the transaction's tenant, so that no other tenant can use it. */
function signed(key: ScopeKey, scope: TenantScope): Settings {
  const [acting, dealing] = signedTenants(key, scope)
  if (scope.creating === undefined) return [acting, dealing]
  return [acting, dealing, sign(key, `creating:${acting.slice(0, HMAC_DIGITS)}:`, arrayOf(scope.creating))]
}

/** Signs tenants. Most scopes are of one tenant, and are signed only once. */
function signedTenants(key: ScopeKey, { acting, dealing }: TenantScope): readonly [acting: string, dealing: string] {
  const own = arrayOf(acting)
  const dealt = dealing === EVERYONE ? '{NULL}' : arrayOf([...new Set([...acting, ...dealing])])
  const known = remembered.get(key) ?? new Map()
  remembered.set(key, known)
  const hit = known.get(own + dealt)
  if (hit !== undefined) return hit
  if (known.size >= REMEMBERED) known.clear()
  const settings = [sign(key, 'acting:', own), sign(key, 'dealing:', dealt)] as const
  known.set(own + dealt, settings)
  return settings
}

/** Signs names with their member, so that a signature for dealing with tenants cannot be used to act for them. */
function sign(key: ScopeKey, member: 'acting:' | 'dealing:' | `creating:${string}`, names: string): string {
  return createHmac('sha256', key).update(member).update(names).digest('hex') + names
}

/** Encodes names as a text[] that Postgres reads. */
function arrayOf(names: readonly string[]): string {
  return `{${names.map((name) => `"${name.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

const TENANTS = `set_config('marketplace.acting', :acting, true) || set_config('marketplace.dealing', :dealing, true)`
/** Sets the scope of a transaction. The condition never holds, so that the statement returns no row of the values just sent. */
const ENTER = statement('enter-scope', ['acting', 'dealing'], `select where (${TENANTS}) is null`)
/** Sets the scope of a transaction with the orders that it creates. */
const ENTER_CREATING = statement(
  'enter-scope-creating',
  ['acting', 'dealing', 'creating'],
  `select where (${TENANTS} || set_config('marketplace.creating', :creating, true)) is null`,
)

/** The methods of the extended protocol in pg's own query, which its types leave out. */
interface Wire {
  bind(config: { portal: string; statement: string; values: readonly string[]; valueMapper(value: string): string }): void
  execute(config: { portal: string; rows: number }): void
}
interface ExtendedQuery extends pg.Submittable {
  callback: (error: Error | null, result: unknown) => void
  prepare(connection: Wire): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Wire): void
}
const ExtendedQuery = pg.Query as unknown as new (config: object, values: unknown[] | undefined) => ExtendedQuery

/**
 * Sends a statement with the scope before it: Bind and Execute of both, and one Sync. Up to a Sync everything is one transaction, so the
 * setting, which is local to it, holds for this statement only; and it costs no round trip. Never uses the simple protocol, in which a text
 * may contain several statements.
 */
class ScopedQuery extends ExtendedQuery {
  #answering: 'scope' | 'statement' = 'scope'
  readonly #settings: Settings

  constructor(config: pg.QueryConfig | string, values: unknown[] | undefined, settings: Settings) {
    super({ ...(typeof config === 'string' ? { text: config } : config), queryMode: 'extended' }, values)
    this.#settings = settings
  }

  override prepare(connection: Wire): void {
    const entering = this.#settings.length === 2 ? ENTER : ENTER_CREATING
    connection.bind({ portal: '', statement: entering.name, values: this.#settings, valueMapper: (value) => value })
    connection.execute({ portal: '', rows: 0 })
    super.prepare(connection)
  }

  override handleDataRow(message: unknown): void {
    if (this.#answering === 'statement') super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#answering === 'statement') super.handleCommandComplete(message, connection)
    else this.#answering = 'statement'
  }
}

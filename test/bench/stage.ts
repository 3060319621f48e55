import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Side } from '../../src/contract/vocabulary/access.ts'
import { freePort } from '../../src/local/embedded/ports.ts'
import { type Operations, openOwnClient } from '../../src/sdk/ownClient.ts'
import { openDatabase } from '../../src/store/connection/database.ts'
import { migrate } from '../../src/store/migrations/migrate.ts'
import { issueCredential } from '../../src/store/tenants/credentials.ts'
import { type Market, openMarket, orderBody } from '../e2e/market.ts'
import type { Engines } from './engines.ts'
import { type Program, startProgram } from './program.ts'

/** A migrated database of its own, the API on it in a process of its own, and a market to order from. */
export interface Stage {
  readonly databaseUrl: string
  /** As the owner of the database. */
  readonly pool: pg.Pool
  readonly api: Program
  readonly baseUrl: string
  readonly tokens: { seller: string; buyer: string }
  readonly seller: Operations
  readonly buyer: Operations
  readonly market: Market
  /** The bytes of an order of two lines that nobody has sent before. */
  nextOrder(): string
  close(): Promise<void>
}

/** `env` is of the API, beside what every stage sets. */
export async function openStage({ postgres }: Pick<Engines, 'postgres'>, env: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const databaseUrl = await makeDatabase(postgres.url)
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  pool.on('error', () => undefined) // the server may be stopped while a connection takes its leave
  await pool.query('create extension pg_stat_statements')
  const tokens = await issueTokens(databaseUrl)
  const port = await freePort()
  const own = { DATABASE_URL: databaseUrl, PORT: String(port), MODE: 'sandbox', RATE_LIMITS: 'off' }
  const api = await startProgram('api/main', { ...own, ...env })
  const baseUrl = `http://127.0.0.1:${port}`
  const seller = openOwnClient({ baseUrl, token: tokens.seller, retry: { attempts: 1 } })
  const buyer = openOwnClient({ baseUrl, token: tokens.buyer, retry: { attempts: 1 } })
  const market = await openMarket('summit', seller, buyer)
  let orders = 0
  return {
    databaseUrl,
    pool,
    api,
    baseUrl,
    tokens,
    seller,
    buyer,
    market,
    nextOrder() {
      orders += 1
      return orderBody(market, `bench-${orders}`)
    },
    async close() {
      await api.stop()
      await pool.end()
    },
  }
}

async function makeDatabase(serverUrl: string): Promise<string> {
  const url = await createDatabase(serverUrl)
  await migrate(url)
  return url
}

/** An empty database of its own; returns where it is. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `bench_${randomBytes(4).toString('hex')}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
}

async function issueTokens(databaseUrl: string): Promise<{ seller: string; buyer: string }> {
  const db = openDatabase(databaseUrl, { max: 1 })
  const issue = async (entity: string, side: Side) => (await issueCredential(db, { entity, side, kind: 'test' })).token
  const tokens = { seller: await issue('summit', 'seller'), buyer: await issue('northlight-media', 'buyer') }
  await db.close()
  return tokens
}

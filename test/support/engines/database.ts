import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type ClonedDatabase = { url: string; drop(): Promise<void> }

/** Creates a migrated database for one test file: `beforeAll(async () => { database = await cloneDatabase() })`, dropped in afterAll. */
export function cloneDatabase(): Promise<ClonedDatabase> {
  return createDatabase(TEMPLATE)
}

/** Creates a database without any schema. */
export function emptyDatabase(): Promise<ClonedDatabase> {
  return createDatabase('template1')
}

/** The name of the template, which is migrated once per run; every test file gets a copy. */
export const TEMPLATE = 'marketplace_template'

async function createDatabase(template: string): Promise<ClonedDatabase> {
  const adminUrl = testPostgresUrl()
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(adminUrl, (admin) => admin.query(`create database ${name} template ${template}`))
  return {
    url: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href,
    drop: () =>
      asAdmin(adminUrl, async (admin) => {
        await untilUnused(admin, name)
        await admin.query(`drop database if exists ${name} with (force)`)
      }),
  }
}

/** Waits until no connection is open: an ended pool does not, and a connection that is cut while closing throws an unhandled error. */
async function untilUnused(admin: pg.Client, name: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rowCount } = await admin.query('select from pg_stat_activity where datname = $1', [name])
    if (rowCount === 0) return
    await sleep(10)
  }
}

/** Returns the URL of the server for this jest worker. */
function testPostgresUrl(): string {
  const worker = Number(process.env.JEST_WORKER_ID ?? 1)
  const url = process.env.TEST_POSTGRES_URLS?.split(' ')[worker - 1]
  if (url === undefined) throw new Error('No test server: run this file with jest.config.js, whose globalSetup starts one for each worker.')
  return url
}

async function asAdmin(adminUrl: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

/** Opens a database as its owner, on one connection. Ignores errors, since dropping the database may end a connection that is closing. */
export function ownerPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => undefined)
  return pool
}

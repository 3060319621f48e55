import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type ClonedDatabase = { url: string; drop(): Promise<void> }

/** A migrated database for one test file: `beforeAll(async () => { database = await cloneDatabase() })`, dropped in afterAll. */
export function cloneDatabase(): Promise<ClonedDatabase> {
  return createDatabase(TEMPLATE)
}

/** A database without any schema. */
export function emptyDatabase(): Promise<ClonedDatabase> {
  return createDatabase('template1')
}

/** Migrated once per run; every test file gets a copy. */
export const TEMPLATE = 'marketplace_template'

async function createDatabase(template: string): Promise<ClonedDatabase> {
  const adminUrl = testPostgresUrl()
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(adminUrl, `create database ${name} template ${template}`)
  return {
    url: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href,
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** The server of this worker of jest. */
function testPostgresUrl(): string {
  const worker = Number(process.env.JEST_WORKER_ID ?? 1)
  const url = process.env.TEST_POSTGRES_URLS?.split(' ')[worker - 1]
  if (url === undefined) throw new Error('No test server: run this file with jest.config.js, whose globalSetup starts one for each worker.')
  return url
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

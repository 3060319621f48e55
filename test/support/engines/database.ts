import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type ClonedDatabase = { url: string; drop(): Promise<void> }

/** A migrated database for one test file: `beforeAll(async () => { database = await cloneDatabase() })`, dropped in afterAll. */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const adminUrl = process.env.TEST_POSTGRES_URL
  if (adminUrl === undefined) throw new Error('No test server: run this file with jest.config.js, whose globalSetup starts one.')
  const name = `test_${randomBytes(6).toString('hex')}`
  await asAdmin(adminUrl, `create database ${name} template ${TEMPLATE}`)
  return {
    url: Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href,
    drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`),
  }
}

/** Migrated once per run; every test file gets a copy. */
export const TEMPLATE = 'marketplace_template'

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../../src/local/embedded/postgres.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { TEMPLATE } from './database.ts'

/**
 * Starts one throw-away server for each jest worker in the folder of the run, each with a migrated template database, and returns a
 * function that stops them. The
 * feed's horizon covers a whole server, so concurrent test files would delay each other's feeds on a shared one. With TEST_POSTGRES_URL, a
 * superuser's URL of an existing server, use only one worker.
 */
export async function startTestPostgres(home: string, workers = 1): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined) return useServer(given, workers)
  const dataDirs = Array.from({ length: workers }, (_, index) => join(home, `${index + 1}`))
  const [first = '', ...others] = dataDirs
  await mkdir(first, { recursive: true, mode: 0o700 })
  const running: { url: string; stop(): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(running.map((server) => server.stop()))
  }
  try {
    await makeTemplate(first)
    // Copies keep the owner of each file, since the server refuses to run as root or on another user's files.
    for (const other of others) await promisify(execFile)('cp', ['-a', first, other])
    // Starts one at a time, since the copies remember the same port and each takes another one if that is in use.
    for (const dataDir of dataDirs) running.push(await startPostgres({ dataDir }))
  } catch (error) {
    await stop()
    throw error
  }
  process.env.TEST_POSTGRES_URLS = running.map(({ url }) => url).join(' ')
  return stop
}

/** Uses an existing server, for example of another version; changes nothing of it but the template. */
export async function useServer(url: string, workers: number): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query(`drop database if exists ${TEMPLATE}`)
    await migrateTemplate(client, url)
  } finally {
    await client.end()
  }
  process.env.TEST_POSTGRES_URLS = Array.from({ length: workers }, () => url).join(' ')
  return async () => undefined
}

/**
 * Settings of a server whose files nobody needs after the run. Autovacuum would hold the feed's horizon while it analyzes a table. The log
 * is kept small, since it may be in memory.
 */
const THROW_AWAY = ['fsync = off', 'full_page_writes = off', "autovacuum_naptime = '1d'", "max_wal_size = '256MB'"]

/** Creates a stopped server whose data directory can be copied. */
async function makeTemplate(dataDir: string): Promise<void> {
  const server = await startPostgres({ dataDir })
  const client = new pg.Client({ connectionString: server.url })
  try {
    await client.connect()
    for (const setting of THROW_AWAY) await client.query(`alter system set ${setting}`)
    await migrateTemplate(client, server.url)
  } finally {
    await client.end()
    await server.stop()
  }
}

async function migrateTemplate(client: pg.Client, url: string): Promise<void> {
  await client.query(`create database ${TEMPLATE}`)
  await migrate(Object.assign(new URL(url), { pathname: `/${TEMPLATE}` }).href)
  // A stray connection would make every clone fail, so none are allowed.
  await client.query(`alter database ${TEMPLATE} with allow_connections false`)
}

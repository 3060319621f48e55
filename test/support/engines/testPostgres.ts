import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../../src/embedded/postgres.ts'
import { stopOrphans } from '../../../src/embedded/postgresOrphans.ts'
import { processIdentity } from '../../../src/embedded/processIdentity.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { TEMPLATE } from './database.ts'

/** One throw-away server for the whole run, with one migrated template database; returns what stops it. */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  await removeLeftovers()
  const dataDir = join(tmpdir(), `${PREFIX}${process.pid}@${await processIdentity(process.pid)}`)
  await mkdir(dataDir, { mode: 0o700 })
  const server = await startPostgres({ dataDir })
  const stop = async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await makeTemplate(server.url)
  } catch (error) {
    await stop()
    throw error
  }
  // The workers of jest are forked after this and inherit it.
  process.env.TEST_POSTGRES_URL = server.url
  return stop
}

const PREFIX = 'marketplace-test-'

/** A run that was killed leaves its server behind; the next run ends it. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue
    const [pid = '', identity] = name.slice(PREFIX.length).split('@')
    if ((await processIdentity(Number(pid))) === identity) continue
    const dataDir = await realpath(join(tmpdir(), name))
    await stopOrphans(join(dataDir, 'postgres', 'data')).catch(() => undefined)
    await rm(dataDir, { recursive: true, force: true }).catch(() => undefined)
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(`create database ${TEMPLATE}`)
    await migrate(Object.assign(new URL(adminUrl), { pathname: `/${TEMPLATE}` }).href)
    // A stray connection would make every clone fail; this one sentence says it instead.
    await client.query(`alter database ${TEMPLATE} with allow_connections false`)
  } finally {
    await client.end()
  }
}

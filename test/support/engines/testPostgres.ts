import { execFile } from 'node:child_process'
import { mkdir, readdir, realpath, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../../src/embedded/postgres.ts'
import { stopOrphans } from '../../../src/embedded/postgresOrphans.ts'
import { processIdentity } from '../../../src/embedded/processIdentity.ts'
import { migrate } from '../../../src/store/migrations/migrate.ts'
import { TEMPLATE } from './database.ts'

/**
 * Starts one throw-away server for each worker of jest, each with a migrated template database; returns what stops them. The feed's horizon is of a
 * whole server, so test files that run at the same time would delay each other's feeds on a shared one: with TEST_POSTGRES_URL, a superuser's on a
 * server that is there, run one worker.
 */
export async function startTestPostgres(workers = 1): Promise<() => Promise<void>> {
  const given = process.env.TEST_POSTGRES_URL
  if (given !== undefined) return useServer(given, workers)
  for (const folder of FOLDERS) await removeLeftovers(folder)
  const home = join(await folderForData(workers), `${PREFIX}${process.pid}@${await processIdentity(process.pid)}`)
  const dataDirs = Array.from({ length: workers }, (_, index) => join(home, `${index + 1}`))
  const [first = '', ...others] = dataDirs
  await mkdir(first, { recursive: true, mode: 0o700 })
  const running: { url: string; stop(): Promise<void> }[] = []
  const stop = async () => {
    await Promise.all(running.map((server) => server.stop()))
    await rm(home, { recursive: true, force: true })
  }
  try {
    await makeTemplate(first)
    // With the owner of each file: the server refuses to run as root, and on another user's files.
    for (const other of others) await promisify(execFile)('cp', ['-a', first, other])
    // One after another: the copies remember the same port, and each takes another one if that is in use.
    for (const dataDir of dataDirs) running.push(await startPostgres({ dataDir }))
  } catch (error) {
    await stop()
    throw error
  }
  // The workers of jest are forked after this and inherit it.
  process.env.TEST_POSTGRES_URLS = running.map(({ url }) => url).join(' ')
  return stop
}

/** A server of another version, say: nothing of it is changed but the template. */
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

const PREFIX = 'marketplace-test-'

/** Files in memory make a clone of the template several times faster than files on a disk that others use too. */
const IN_MEMORY = '/dev/shm'
const FOLDERS = [IN_MEMORY, tmpdir()]
const ROOM_PER_SERVER = 2 * 1024 ** 3

async function folderForData(servers: number): Promise<string> {
  const room = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => Math.min(bavail * bsize, freemem()),
    () => 0,
  )
  return room > servers * ROOM_PER_SERVER ? IN_MEMORY : tmpdir()
}

/** A run that was killed leaves its servers behind; the next run ends them. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue
    const [pid = '', identity] = name.slice(PREFIX.length).split('@')
    if ((await processIdentity(Number(pid))) === identity) continue
    const home = await realpath(join(folder, name))
    for (const server of await readdir(home)) await stopOrphans(join(home, server, 'postgres', 'data')).catch(() => undefined)
    await rm(home, { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * Settings of a server whose files nobody needs after the run. Autovacuum would hold the horizon of the feed while it analyzes a table. The log is
 * kept small because it may lie in memory.
 */
const THROW_AWAY = ['fsync = off', 'full_page_writes = off', "autovacuum_naptime = '1d'", "max_wal_size = '256MB'"]

/** Leaves a stopped server behind, whose data directory can be copied. */
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
  // A stray connection would make every clone fail; this one sentence says it instead.
  await client.query(`alter database ${TEMPLATE} with allow_connections false`)
}

import { mkdir, readdir, realpath, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stopOrphans } from '../../../src/local/embedded/postgresOrphans.ts'
import { processIdentity } from '../../../src/local/embedded/processIdentity.ts'
import { buildPrograms } from './buildPrograms.ts'
import { stopSharedTemporals } from './sharedTemporal.ts'
import { startTestPostgres } from './testPostgres.ts'

/**
 * Starts what every test file finds: a folder for the engines of this run, and a PostgreSQL server for each worker of jest. Returns what
 * stops all of them and removes the folder. Removes first what killed runs have left.
 */
export async function startTestRun(workers = 1): Promise<() => Promise<void>> {
  for (const folder of FOLDERS) await removeLeftovers(folder)
  const home = join(await folderForData(workers), `${PREFIX}${process.pid}@${await processIdentity(process.pid)}`)
  await mkdir(home, { mode: 0o700 })
  process.env.TEST_RUN_DIR = home
  const stopPostgres = await startTestPostgres(home, workers).catch(async (error: unknown) => {
    await remove(home)
    throw error
  })
  return async () => {
    await stopPostgres()
    await remove(home)
  }
}

async function remove(home: string): Promise<void> {
  await stopSharedTemporals(home)
  await rm(home, { recursive: true, force: true })
}

const PREFIX = 'marketplace-test-'

/** The folder for files in memory, where cloning the template is several times faster than on a disk that others use too. */
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

/** Ends and removes the servers that a killed run has left behind. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(PREFIX)) continue
    const [pid = '', identity] = name.slice(PREFIX.length).split('@')
    if ((await processIdentity(Number(pid))) === identity) continue
    const home = await realpath(join(folder, name))
    for (const server of await readdir(home)) await stopOrphans(join(home, server, 'postgres', 'data')).catch(() => undefined)
    await remove(home).catch(() => undefined)
  }
}

/** For jest: runs until the standard input ends, after one line with the variables by which test files find everything. Without workers, only the build is made. */
async function main(): Promise<void> {
  await buildPrograms()
  const workers = Number(process.argv[2])
  const stop = workers === 0 ? undefined : await startTestRun(workers)
  const { BUILD_DIR, TEST_RUN_DIR, TEST_POSTGRES_URLS } = process.env
  process.stdout.write(`${JSON.stringify({ BUILD_DIR, TEST_RUN_DIR, TEST_POSTGRES_URLS })}\n`)
  for await (const _ of process.stdin) {
    // Nothing is written there.
  }
  await stop?.()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()

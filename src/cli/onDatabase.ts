import type { Config } from '../config/index.ts'
import { lockDataDir, openDataDir } from '../local/embedded/dataDir.ts'
import { postgresUrl, startPostgres } from '../local/embedded/postgres.ts'
import { StartupError } from '../local/embedded/startupError.ts'

/**
 * Works on the configured database: the one of DATABASE_URL, else the embedded one, which is started by itself if no marketplace uses the
 * data directory.
 */
export async function onDatabase(
  { databaseUrl, dataDir, postgresPort }: Pick<Config, 'databaseUrl' | 'dataDir' | 'postgresPort'>,
  work: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== undefined) return work(databaseUrl)
  const running = await postgresUrl(dataDir) // fails if the directory has never had a database
  const home = await openDataDir(dataDir)
  const lock = await lockDataDir(home).catch((error) => {
    if (error instanceof StartupError) return undefined // a marketplace uses the directory
    throw error
  })
  if (lock === undefined) return work(running)
  try {
    const postgres = await startPostgres({ dataDir: home, port: postgresPort })
    await work(postgres.url).finally(postgres.stop)
  } finally {
    await lock.release()
  }
}

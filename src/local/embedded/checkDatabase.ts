import pg from 'pg'
import { StartupError } from './startupError.ts'

/** Fails with a StartupError if the database of DATABASE_URL does not answer or is too old. */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  let version = ''
  try {
    await client.connect()
    version = (await client.query('show server_version')).rows[0].server_version
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    throw new StartupError(`The database of DATABASE_URL cannot be reached (${message || code}); start it or correct DATABASE_URL.`)
  } finally {
    await client.end().catch(() => undefined)
  }
  if (Number.parseInt(version, 10) < OLDEST_POSTGRES)
    throw new StartupError(`The database of DATABASE_URL is PostgreSQL ${version}; use version ${OLDEST_POSTGRES} or later.`)
}

const OLDEST_POSTGRES = 15

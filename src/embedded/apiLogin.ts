import { randomBytes } from 'node:crypto'
import pg from 'pg'

/**
 * Gives the API a login of its own on the embedded database, which owns nothing and is a member of nothing but the role that policies hold: no
 * statement that its connections could be made to run leads out of it. Answers its URL. The password is a new one at every start and in no file.
 */
export async function makeApiLogin(databaseUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [LOGIN])
    if (rowCount === 0) await client.query(`create role ${LOGIN}`)
    await client.query(`alter role ${LOGIN} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`)
    await client.query(`grant marketplace_app to ${LOGIN}`)
  } finally {
    await client.end()
  }
  return Object.assign(new URL(databaseUrl), { username: LOGIN, password }).href
}

const LOGIN = 'marketplace_api'

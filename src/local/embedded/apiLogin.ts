import { randomBytes } from 'node:crypto'
import { asOwner } from '../../store/connection/asOwner.ts'

/**
 * Creates a separate login for the API on the embedded database. The login owns nothing and is a member only of the role that policies
 * restrict, so no statement on its connections can escape them. Returns its URL. The password is new at every start and never on disk.
 */
export async function makeApiLogin(databaseUrl: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  await asOwner(databaseUrl, async (client) => {
    await client.query('set log_min_error_statement to panic') // keeps a failed statement and its password out of the log
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [LOGIN])
    if (rowCount === 0) await client.query(`create role ${LOGIN}`)
    await client.query(`alter role ${LOGIN} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`)
    await client.query(`grant marketplace_app to ${LOGIN}`)
  })
  return Object.assign(new URL(databaseUrl), { username: LOGIN, password }).href
}

const LOGIN = 'marketplace_api'

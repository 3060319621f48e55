import { sql } from 'kysely'
import type { Database } from '../connection/database.ts'

/**
 * The credentials of a tenant that are neither revoked nor expired, of both gates. The clock is the database's, as for all that compares a
 * stored time in a statement: a process reads milliseconds and may differ from its neighbour, the database stores microseconds.
 */
export function validCredentials(on: Database['sql'], entity: string) {
  return on
    .selectFrom('credentials')
    .where('entity', '=', entity)
    .where('revoked_at', 'is', null)
    .where(({ eb }) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`now()`)]))
}

import type { Database } from './database.ts'

/**
 * Returns true if a statement could lead a database's connections out of the role that policies restrict, since their user is more than
 * that role: a superuser, the owner of the tables, or a member of the platform's role.
 */
export async function isRoleLeavable({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rows } = await pool.query<{ leavable: boolean }>(LEAVABLE)
  return rows[0]?.leavable === true
}

/** Tells whether the session's user could become more than the role that policies restrict: always one row. */
const LEAVABLE = `select pg_has_role(session_user, 'marketplace_platform', 'member')
  or exists (select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(session_user, relowner, 'member')) as leavable`

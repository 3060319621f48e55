import type { Database } from '../connection/database.ts'

/** Returns a secret of the installation itself, the same for all of its processes. */
export async function platformKey({ sql }: Pick<Database, 'sql'>, name: 'cursor' | 'bounce'): Promise<Buffer> {
  return (await sql.selectFrom('platform_keys').select('value').where('name', '=', name).executeTakeFirstOrThrow()).value
}

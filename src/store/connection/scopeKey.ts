import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import type { ScopeKey } from './tenantScope.ts'

/** Thrown if the database accepts no scope that is signed with this key. */
export class ScopeKeyFault extends Error {
  override name = 'ScopeKeyFault'
}

/** Derives the key that signs scopes from the installation's secret, so that operators keep only one secret. */
export function scopeKey(secretsKey: Buffer): ScopeKey {
  return createHmac('sha256', secretsKey).update('tenant scope').digest()
}

/** Admits the platform's current key. The previous one stays valid, for processes that still use it. */
export async function setScopeKey({ sql: db }: Pick<Database, 'sql'>, key: ScopeKey): Promise<void> {
  const { inner, outer } = padsOf(key)
  await sql`insert into scope_keys (inner_pad, outer_pad) values (${inner}, ${outer})
    on conflict (inner_pad) do update set admitted_at = now()`.execute(db)
  await sql`delete from scope_keys where inner_pad not in (select inner_pad from scope_keys order by admitted_at desc limit 2)`.execute(db)
}

/** Admits the key of a process that acts for tenants. A database admits only the first key that it sees; for any other, ScopeKeyFault. */
export async function admitScopeKey({ sql: db }: Pick<Database, 'sql'>, key: ScopeKey): Promise<void> {
  const { inner, outer } = padsOf(key)
  const { rows } = await sql<{ admitted: boolean }>`select admit_scope_key(${inner}, ${outer}) as admitted`.execute(db)
  if (rows[0]?.admitted !== true)
    throw new ScopeKeyFault(
      'This database was last used with another key: set SECRETS_KEY to that key, or start the worker with the new key first.',
    )
}

/** Returns the two keys of an HMAC (RFC 2104), which Postgres computes from hashes alone. */
function padsOf(key: ScopeKey): { inner: Buffer; outer: Buffer } {
  const padded = Buffer.alloc(64)
  key.copy(padded)
  return { inner: Buffer.from(padded.map((byte) => byte ^ 0x36)), outer: Buffer.from(padded.map((byte) => byte ^ 0x5c)) }
}

import { SIDE_SCOPES, type Side } from '../../contract/vocabulary/access.ts'
import { FRESH_PER_DAY } from '../../contract/vocabulary/bounds.ts'
import type { Database } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { statement } from '../connection/statement.ts'
import { operator, recordAct } from './securityEvents.ts'
import { DEFAULT_PROFILE } from './sellers.ts'
import { newToken, tokenHash } from './token.ts'

/** How long a tenant lasts. */
const LASTS = '7 days'

export interface FreshTenant {
  readonly tenant: string
  readonly token: string
  readonly expires_at: string
}

/** Marks the database as one of a sandbox. Only a start of the sandbox does. */
export async function markSandbox({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('insert into sandbox default values on conflict do nothing')
}

/** Makes a tenant that ends after a week, with a token of every scope of its side; undefined if the maker has made as many as it may. */
export async function makeFreshTenant(
  db: Pick<Database, 'as'>,
  { tenant, side, name, made_by }: { readonly tenant: string; readonly side: Side; readonly name: string; readonly made_by: string },
): Promise<FreshTenant | undefined> {
  const token = newToken('test')
  const credential_id = newId('cred_')
  const scopes = SIDE_SCOPES[side]
  const last_four = token.slice(-4)
  const own = db.as([tenant])
  const { rows } = await own.pool.query<{ expires_at: string | null }>(
    MAKE.bind({
      ...{ entity: tenant, side, name, profile: JSON.stringify(DEFAULT_PROFILE), made_by, max: FRESH_PER_DAY, lasts: LASTS },
      ...{ credential_id, token_sha256: tokenHash(token), last_four, scopes },
    }),
  )
  const expires_at = rows[0]?.expires_at
  if (expires_at === null || expires_at === undefined) return undefined
  const act = { action: 'token.issued', target: credential_id, after: { gate: 'api', scopes, expires_at, last_four } } as const
  await own.sql.transaction().execute((tx) => recordAct(tx, operator(tenant, side, 'platform'), act))
  return { tenant, token, expires_at }
}

/** Makes a tenant with a credential. Returns the end of both, or null. */
const MAKE = statement(
  'make-fresh-tenant',
  ['entity', 'side', 'name', 'profile', 'made_by', 'max', 'lasts', 'credential_id', 'token_sha256', 'last_four', 'scopes'],
  `select make_fresh_tenant(:entity, :side, :name, :profile::jsonb, :made_by, :max, :lasts::interval, :credential_id, :token_sha256, :last_four,
    :scopes::text[]) as expires_at`,
)

/** SQL: true unless the tenant of this expression was made on demand and has ended. */
export const IS_STILL_THERE = (entity: string) =>
  `not exists (select from fresh_tenants f where f.entity = ${entity} and f.expires_at < now())`

import type { CredentialSide } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { EVERYONE } from '../connection/tenantScope.ts'
import { validCredentials } from './validCredentials.ts'

/** A person whose role anybody may take to try the console of a sandbox. */
export interface Persona {
  /** Its handle: the entity of its tenant. */
  readonly persona: string
  readonly name: string
  readonly entity: string
  readonly tenant_name: string
  readonly side: CredentialSide
}

/** The people of the seeded tenants; another tenant's person has the name of the tenant. */
const PEOPLE: Readonly<Record<string, string>> = {
  summit: 'Priya Raman',
  'ktvl-10': 'Dana Whitfield',
  'lakeshore-28': 'Marcus Bell',
  'northlight-media': 'Elena Ortiz',
  'harbor-and-vale': 'Tom Okafor',
  operations: 'Noor Haddad',
}
const MAX_PERSONAS = 200

/** Lists the personas of a sandbox: one for each tenant but those of test runs. */
export async function listPersonas(db: Pick<Database, 'withCounterparty'>): Promise<Persona[]> {
  const tenants = await db
    .withCounterparty(EVERYONE)
    .sql.selectFrom('tenants')
    .select(['entity', 'side', 'name'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('fresh_tenants').select('fresh_tenants.entity').whereRef('fresh_tenants.entity', '=', 'tenants.entity'))),
    )
    .orderBy('created_at')
    .orderBy('entity')
    .limit(MAX_PERSONAS)
    .execute()
  return tenants.map(({ entity, side, name }) => ({ persona: entity, name: PEOPLE[entity] ?? name, entity, tenant_name: name, side }))
}

/** Returns the newest valid credential of a tenant; undefined if it has none. */
export async function newestCredential(db: Pick<Database, 'as'>, entity: string): Promise<string | undefined> {
  const row = await validCredentials(db.as([entity]).sql, entity)
    .select('credential_id')
    .orderBy('credential_id', 'desc')
    .executeTakeFirst()
  return row?.credential_id
}

/** Returns the name of a tenant for people. */
export async function tenantName(db: Pick<Database, 'as'>, entity: string): Promise<string> {
  const row = await db
    .as([entity])
    .withCounterparty([entity])
    .sql.selectFrom('tenants')
    .select('name')
    .where('entity', '=', entity)
    .executeTakeFirst()
  return row?.name ?? entity
}

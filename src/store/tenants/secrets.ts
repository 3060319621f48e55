import type { Database } from '../connection/database.ts'
import { fingerprintOf, type Keys, openUnder, sealUnder } from './secretBox.ts'
import { type Actor, recordAct } from './securityEvents.ts'

/** Encrypts secrets that must be readable later, under a key that is not in the database. */
export interface SecretBox {
  /** `place` names where the secret is kept. It cannot be opened anywhere else, so that no row can be given another row's secret. */
  seal(secret: string, place: string): Buffer
  /** Returns undefined, and reports the place, if no key opens the secret: its key is lost, so a new secret is needed. */
  open(sealed: Buffer, place: string): string | undefined
}

/** The log message, with the place, for a secret that no key opens. */
export const UNREADABLE_SECRET = 'a secret cannot be opened by any key that is set: its tenant must make another'

/** Thrown if the database has secrets that were encrypted under another key. */
export class SecretsKeyFault extends Error {
  override name = 'SecretsKeyFault'
}

/**
 * Opens the secrets of a database. Calls `keys` again for every seal and every failed open, since keys may be rotated at any time. The first
 * key that a database sees is the right one; it accepts another only in addition. SecretsKeyFault if a key that the database knows is missing.
 */
export async function openSecrets(
  { sql }: Pick<Database, 'sql'>,
  keys: () => Keys,
  onUnreadable: (place: string) => void = () => undefined,
): Promise<SecretBox> {
  await admitKeys(sql, keys())
  const reported = new Set<string>()
  let known = keys()
  return {
    seal(secret, place) {
      known = keys()
      return sealUnder(known, secret, place)
    },
    open(sealed, place) {
      const opened = openUnder(known, sealed, place)
      if (opened !== undefined) return opened.secret
      known = keys()
      const again = openUnder(known, sealed, place)
      if (again === undefined && !reported.has(place)) {
        if (reported.size === MAX_REPORTED) reported.clear()
        reported.add(place)
        onUnreadable(place)
      }
      return again?.secret
    },
  }
}

const MAX_REPORTED = 1_000

async function admitKeys(sql: Database['sql'], keys: Keys): Promise<void> {
  const fingerprints = keys.map(fingerprintOf)
  const [fingerprint = Buffer.alloc(0)] = fingerprints
  await sql.transaction().execute(async (tx) => {
    // If two processes start first with two keys, one of them waits here and is second.
    await tx.selectNoFrom(({ fn, val }) => fn('pg_advisory_xact_lock', [fn('hashtext', [val('secrets_key')])]).as('locked')).execute()
    const known = await tx.selectFrom('secrets_key').select('fingerprint').execute()
    if (known.some((row) => !fingerprints.some((ours) => ours.equals(row.fingerprint))))
      throw new SecretsKeyFault(
        'Secrets in this database were encrypted under another key: set SECRETS_KEY to that one (SECRETS_KEY_PREVIOUS while keys are rotated), or bring back the file secrets.key in DATA_DIR.',
      )
    await tx
      .insertInto('secrets_key')
      .values({ fingerprint })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** Saves a tenant's secret under a name, in place of an earlier one. */
export async function saveSecret({ sql }: Pick<Database, 'sql'>, box: SecretBox, actor: Actor, name: string, value: string): Promise<void> {
  const tenant = actor.entity
  const sealed = box.seal(value, placeOfTenantSecret(tenant, name))
  const updated_at = new Date().toISOString()
  await sql.transaction().execute(async (tx) => {
    await tx
      .insertInto('tenant_secrets')
      .values({ tenant, name, sealed, updated_at })
      .onConflict((conflict) => conflict.columns(['tenant', 'name']).doUpdateSet({ sealed, updated_at }))
      .execute()
    await recordAct(tx, actor, { action: 'secret.set', target: name })
  })
}

/**
 * Returns a tenant's secret by its name; undefined if there is none, or none that can be opened. Only the call that needs it may use it:
 * nothing may log, return or store it.
 */
export async function readSecret(
  { sql }: Pick<Database, 'sql'>,
  box: SecretBox,
  tenant: string,
  name: string,
): Promise<string | undefined> {
  const row = await sql
    .selectFrom('tenant_secrets')
    .select('sealed')
    .where('tenant', '=', tenant)
    .where('name', '=', name)
    .executeTakeFirst()
  return row === undefined ? undefined : box.open(row.sealed, placeOfTenantSecret(tenant, name))
}

/** Returns true if a tenant has a secret with this name that can be opened. */
export async function hasSecret(...of: Parameters<typeof readSecret>): Promise<boolean> {
  return (await readSecret(...of)) !== undefined
}

/** Returns the place of the secret, which it was sealed for. */
export function placeOfTenantSecret(tenant: string, name: string): string {
  return JSON.stringify(['tenant_secrets', tenant, name])
}

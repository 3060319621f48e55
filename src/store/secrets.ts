import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Database } from './database.ts'
import { type Actor, recordAct } from './securityEvents.ts'

/** Encrypts what must be readable again: AES-256-GCM, under a key that is not in the database. */
export interface SecretBox {
  /** `place` names where the secret is kept: opened anywhere else, it is refused, so that no row can be given another's secret. */
  seal(secret: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
}

/** The database's secrets were encrypted under another key. */
export class SecretsKeyFault extends Error {
  override name = 'SecretsKeyFault'
}

/** Opens the secrets of a database with a key of 32 bytes. The first key that it ever sees is the right one: SecretsKeyFault for any other. */
export async function openSecrets({ sql }: Pick<Database, 'sql'>, key: Buffer): Promise<SecretBox> {
  const fingerprint = createHash('sha256').update('secrets key').update(key).digest().subarray(0, 8)
  await sql
    .insertInto('secrets_key')
    .values({ fingerprint })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const known = await sql.selectFrom('secrets_key').select('fingerprint').executeTakeFirstOrThrow()
  if (!known.fingerprint.equals(fingerprint))
    throw new SecretsKeyFault(
      'The secrets in this database were encrypted under another key: set SECRETS_KEY to that one, or bring back its file secrets.key in DATA_DIR.',
    )
  return {
    seal(secret, place) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
      const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    open(sealed, place) {
      const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), { authTagLength: TAG }).setAAD(Buffer.from(place))
      cipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([cipher.update(sealed.subarray(NONCE + TAG)), cipher.final()]).toString()
    },
  }
}

const NONCE = 12
const TAG = 16

/** Keeps a tenant's secret under a name, in place of an earlier one. */
export async function saveSecret({ sql }: Pick<Database, 'sql'>, box: SecretBox, actor: Actor, name: string, value: string): Promise<void> {
  const tenant = actor.entity
  const sealed = box.seal(value, placeOf(tenant, name))
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

/** A tenant's secret by its name; undefined when it has none. For the call that needs it: nothing may log, answer or store it. */
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
  return row === undefined ? undefined : box.open(row.sealed, placeOf(tenant, name))
}

/** Whether a tenant has a secret of that name. */
export async function hasSecret({ sql }: Pick<Database, 'sql'>, tenant: string, name: string): Promise<boolean> {
  const row = await sql.selectFrom('tenant_secrets').select('name').where('tenant', '=', tenant).where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

function placeOf(tenant: string, name: string): string {
  return JSON.stringify(['tenant_secrets', tenant, name])
}

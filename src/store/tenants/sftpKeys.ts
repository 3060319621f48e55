import type { SshKeyAlgorithm } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { CredentialFault } from './credentialFault.ts'
import { operator, recordAct } from './securityEvents.ts'

/** A public SSH key. `blob` is its wire format. */
interface PublicKey {
  readonly algorithm: SshKeyAlgorithm
  readonly blob: Buffer
  readonly comment: string
  readonly fingerprint: string
}

/** The most active keys per seller: one for each uploading system, and a few for rotation. */
const ACTIVE_KEYS = 10

/** Lets a seller sign in to the SFTP server with a key. Returns the id of the key. */
export async function addSftpKey({ sql }: Pick<Database, 'sql'>, seller: string, key: PublicKey): Promise<string> {
  return sql.transaction().execute(async (tx) => {
    const tenant = await tx.selectFrom('tenants').select('side').where('entity', '=', seller).forUpdate().executeTakeFirst()
    if (tenant === undefined) throw new CredentialFault(`There is no tenant ${seller}: issue a token first, which creates it.`)
    if (tenant.side !== 'seller') throw new CredentialFault(`${seller} is a ${tenant.side}; only sellers upload by SFTP.`)
    const active = await tx
      .selectFrom('sftp_keys')
      .select(['key_id', 'public_key'])
      .where('seller', '=', seller)
      .where('revoked_at', 'is', null)
      .execute()
    const same = active.find(({ public_key }) => public_key.equals(key.blob))
    if (same !== undefined) throw new CredentialFault(`${seller} already has this key: ${same.key_id}.`)
    if (active.length >= ACTIVE_KEYS) throw new CredentialFault(`${seller} already has ${ACTIVE_KEYS} keys; revoke one first.`)
    const key_id = newId('sfk_')
    const { algorithm, blob, comment, fingerprint } = key
    await tx.insertInto('sftp_keys').values({ key_id, seller, algorithm, public_key: blob, comment }).execute()
    const after = { algorithm, fingerprint, comment }
    await recordAct(tx, operator(seller, 'seller', 'command_line'), { action: 'sftp_key.added', target: key_id, after })
    return key_id
  })
}

export async function listSftpKeys({ sql }: Pick<Database, 'sql'>) {
  return sql
    .selectFrom('sftp_keys')
    .select(['key_id', 'seller', 'algorithm', 'public_key', 'comment', 'added_at', 'revoked_at'])
    .orderBy('key_id')
    .execute()
}

/** Revokes a key by its id; open connections end within 5 s. Returns false if there is no such key in force. */
export async function revokeSftpKey({ sql }: Pick<Database, 'sql'>, keyId: string): Promise<boolean> {
  return sql.transaction().execute(async (tx) => {
    const revoked = await tx
      .updateTable('sftp_keys')
      .set({ revoked_at: new Date().toISOString() })
      .where('key_id', '=', keyId)
      .where('revoked_at', 'is', null)
      .returning(['key_id', 'seller'])
      .executeTakeFirst()
    if (revoked === undefined) return false
    await recordAct(tx, operator(revoked.seller, 'seller', 'command_line'), { action: 'sftp_key.revoked', target: revoked.key_id })
    return true
  })
}

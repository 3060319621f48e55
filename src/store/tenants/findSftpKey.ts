import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { livesOf } from '../delivery/eventAuthority.ts'
import type { Credential } from './findCredential.ts'

/** Returns the credential that a seller's key gives, revoked or not, in the form of a token's; undefined if the seller never had it. */
export async function findSftpKey({ pool }: Pick<Database, 'pool'>, seller: string, blob: Buffer): Promise<Credential | undefined> {
  const { rows } = await pool.query<{ key_id: string; revoked: boolean }>(FIND.bind({ seller, public_key: blob }))
  const [row] = rows
  if (row === undefined) return undefined
  const { key_id, revoked } = row
  return {
    credential_id: key_id,
    entity: seller,
    side: 'seller',
    gate: 'api',
    revoked,
    ...livesOf({ scopes: ['catalog:write'], expires_at: null }),
  }
}

/** Reads a seller's key by its bytes, in force or not. */
const FIND = statement('find-sftp-key', ['seller', 'public_key'], 'select * from find_sftp_key(:seller, :public_key)')

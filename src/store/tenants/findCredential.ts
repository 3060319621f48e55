import type { CredentialSide, Scope } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { livesOf } from '../delivery/eventAuthority.ts'
import type { Session } from './sessions.ts'
import { tokenHash } from './token.ts'

/** Who a token speaks for. `scopes` holds the implied ones too. */
export interface Credential {
  credential_id: string
  entity: string
  side: CredentialSide
  gate: 'api' | 'console'
  scopes: ReadonlySet<Scope>
  /** Epoch milliseconds; null never lapses. */
  expires_at: number | null
  revoked: boolean
  /** When a token of the issuer ends; its subject continues. Epoch milliseconds. */
  until?: number
  /** Of a person who is signed in on its authority. */
  session?: Session
}

/** Returns the credential of a token, valid or not; undefined if there is none. */
export async function findCredential({ pool }: Pick<Database, 'pool'>, token: string): Promise<Credential | undefined> {
  const { rows } = await pool.query(FIND.bind({ token_sha256: tokenHash(token) }))
  const [row] = rows
  if (row === undefined) return undefined
  return { ...row, ...livesOf(row) }
}

/** The credential of a token, in force or not. */
const FIND = statement('find-credential', ['token_sha256'], 'select * from find_credential(:token_sha256)')

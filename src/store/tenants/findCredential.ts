import type { CredentialSide, Scope } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { livesOf } from '../delivery/eventAuthority.ts'
import type { Session } from './sessions.ts'
import { tokenHash } from './token.ts'

/** The identity that a token speaks for. `scopes` includes implied scopes. */
export interface Credential {
  credential_id: string
  entity: string
  side: CredentialSide
  gate: 'api' | 'console'
  scopes: ReadonlySet<Scope>
  /** The end in epoch milliseconds; null if it never expires. */
  expires_at: number | null
  revoked: boolean
  /** The end of an issuer's token, whose subject continues, in epoch milliseconds. */
  until?: number
  /** The session of a person who is signed in on its authority. */
  session?: Session
}

/** Returns the credential of a token, valid or not; undefined if there is none. */
export async function findCredential({ pool }: Pick<Database, 'pool'>, token: string): Promise<Credential | undefined> {
  const { rows } = await pool.query(FIND.bind({ token_sha256: tokenHash(token) }))
  const [row] = rows
  if (row === undefined) return undefined
  return { ...row, ...livesOf(row) }
}

/** Reads the credential of a token, in force or not. */
const FIND = statement('find-credential', ['token_sha256'], 'select * from find_credential(:token_sha256)')

import type { CredentialSide, Scope } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'
import { livesOf } from '../delivery/eventAuthority.ts'
import type { Credential } from './findCredential.ts'
import { tokenHash } from './token.ts'

interface Row {
  credential_id: string
  entity: string
  side: CredentialSide
  scopes: Scope[]
  expires_at: string | null
  revoked: boolean
  person: string
  until: string
}

/** Returns the credential or subject of a session, valid or not; undefined if there is no such session. */
export async function findSession({ pool }: Pick<Database, 'pool'>, secret: string): Promise<Credential | undefined> {
  const { rows } = await pool.query<Row>(FIND.bind({ session_sha256: tokenHash(secret) }))
  const [row] = rows
  if (row === undefined) return undefined
  const { person, until, ...credential } = row
  return { ...credential, ...livesOf(credential), gate: 'console', session: { person, until: Date.parse(until) } }
}

/** Reads the session of a secret, over or not. */
const FIND = statement('find-session', ['session_sha256'], 'select * from find_session(:session_sha256)')

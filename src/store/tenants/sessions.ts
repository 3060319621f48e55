import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Scope } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { type Actor, recordAct } from './securityEvents.ts'
import { tokenHash } from './token.ts'

/** A person who is signed in on the authority of a credential or of an issuer's subject. */
export interface Session {
  readonly person: string
  /** When it ends unless it is used before then, and no later than its fixed end. Epoch milliseconds. */
  readonly until: number
}

const SECRET_BYTES = 32
const SECRET_FORM = /^[\w-]{43}$/
const MAX_HOURS = 12
/** The most sessions of one credential or subject. Further sign-ins end the oldest. */
const MAX_SESSIONS = 100

/** Returns true if a text has the form of a session's secret; no other text can be one. */
export function isSessionForm(secret: string): boolean {
  return SECRET_FORM.test(secret)
}

/** An issuer's token with which a subject signs in. */
export interface SignOnToken {
  readonly scopes: readonly Scope[]
  /** When the token, and with it the session, ends. Epoch milliseconds. */
  readonly until: number
}

/**
 * Opens a session on the authority of a credential of the actor's tenant or, with an issuer's token, of the subject whose id takes the
 * credential's place. Only the answer contains the secret. Ends expired sessions of the same authority, and the oldest beyond the bound.
 */
export async function openSession(
  { sql: db }: Pick<Database, 'sql'>,
  actor: Actor & { credential_id: string },
  person: string,
  token?: SignOnToken,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const { credential_id } = actor
  const authority =
    token === undefined
      ? { credential_id, subject_id: null, scopes: null }
      : { credential_id: null, subject_id: credential_id, scopes: [...token.scopes] }
  const column = sql.ref(token === undefined ? 'credential_id' : 'subject_id')
  const longest = Date.now() + MAX_HOURS * 3_600_000
  await db.transaction().execute(async (tx) => {
    await sql`delete from sessions where ${column} = ${credential_id} and session_sha256 not in (
      select session_sha256 from sessions where ${column} = ${credential_id} and least(ends_at, used_at + interval '8 hours') > now()
        order by opened_at desc limit ${MAX_SESSIONS - 1})`.execute(tx)
    await tx
      .insertInto('sessions')
      .values({
        session_sha256: tokenHash(secret),
        ...authority,
        person,
        ends_at: new Date(Math.min(longest, token?.until ?? longest)).toISOString(),
      })
      .execute()
    await recordAct(tx, actor, { action: 'session.opened', target: credential_id })
  })
  return secret
}

/** Ends a session; running servers stop accepting it within 5 s. */
export async function endSession({ sql: db }: Pick<Database, 'sql'>, secret: string): Promise<void> {
  await db.selectNoFrom(({ fn, val }) => fn('end_session', [val(tokenHash(secret))]).as('ended')).execute()
}

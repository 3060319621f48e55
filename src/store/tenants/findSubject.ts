import type { Side } from '../../contract/vocabulary/access.ts'
import type { Database } from '../connection/database.ts'
import { statement } from '../connection/statement.ts'

/** A person or program of an issuer, and the tenant that its token acts for. */
export interface ClaimedSubject {
  readonly issuer: string
  readonly subject: string
  readonly entity: string
  readonly side: Side
}

/** A tenant, and its subject if the issuer's subject was admitted. */
export interface FoundSubject {
  readonly subject_id: string | null
  readonly side: Side
  readonly revoked: boolean
}

/** Returns the tenant that a token names, with its side, and the subject; undefined if there is no such tenant. */
export async function findSubject(
  { pool }: Pick<Database, 'pool'>,
  { entity, issuer, subject }: ClaimedSubject,
): Promise<FoundSubject | undefined> {
  const { rows } = await pool.query<FoundSubject>(FIND.bind({ entity, issuer, subject }))
  return rows[0]
}

/** Reads the subject of an issuer as it acts for a tenant, and the side of that tenant. */
const FIND = statement('find-subject', ['entity', 'issuer', 'subject'], 'select * from find_subject(:entity, :issuer, :subject)')

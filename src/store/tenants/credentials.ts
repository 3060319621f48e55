import { type CredentialSide, type Scope, SIDE_SCOPES } from '../../contract/vocabulary/access.ts'
import type { Database, Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import { type Authority, authorityOf, endAuthority, livesOf } from '../delivery/eventAuthority.ts'
import { CredentialFault } from './credentialFault.ts'
import { operator, recordAct } from './securityEvents.ts'
import { makeSeller } from './sellers.ts'
import { newToken, tokenHash } from './token.ts'
import { validCredentials } from './validCredentials.ts'

const A_SIDE = { buyer: 'A buyer', seller: 'A seller', operator: 'An operator' } as const

/** The most active tokens per principal: two, so that one can replace the other without a gap (choices, Identity). */
const ACTIVE_TOKENS = 2

export interface IssueCredential {
  entity: string
  side: CredentialSide
  scopes?: readonly Scope[]
  kind: 'test' | 'live'
  ttlSeconds?: number
  gate?: 'api' | 'console'
  /** Revokes the oldest valid token if the tenant is at its limit. */
  replacesOldest?: boolean
  /** The interface through which the operator acts. */
  via?: 'command_line' | 'platform'
}

/** Issues a token for a tenant; only the answer contains it. Creates a tenant that is unknown so far. */
export async function issueCredential({ sql }: Database, request: IssueCredential): Promise<{ credential_id: string; token: string }> {
  const { scopes = SIDE_SCOPES[request.side], gate = 'api', via = 'platform' } = request
  const expires_at = request.ttlSeconds === undefined ? null : new Date(Date.now() + request.ttlSeconds * 1000).toISOString()
  const foreign = scopes.filter((scope) => !SIDE_SCOPES[request.side].includes(scope))
  if (foreign.length > 0)
    throw new CredentialFault(
      `${A_SIDE[request.side]} cannot hold ${foreign.join(', ')}; it can hold ${SIDE_SCOPES[request.side].join(', ')}.`,
    )
  return sql.transaction().execute(async (tx) => {
    await tx
      .insertInto('tenants')
      .values({ entity: request.entity, side: request.side, name: request.entity })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const tenant = await tx.selectFrom('tenants').select('side').where('entity', '=', request.entity).forUpdate().executeTakeFirstOrThrow()
    if (tenant.side !== request.side)
      throw new CredentialFault(`${request.entity} is ${A_SIDE[tenant.side].toLowerCase()}; use --side ${tenant.side}.`)
    if (request.side === 'seller') await makeSeller(tx, request.entity)
    const active = await validCredentials(tx, request.entity)
      .select('credential_id')
      .where('gate', '=', gate)
      .orderBy('credential_id') // ids are time-ordered
      .execute()
    if (active.length >= ACTIVE_TOKENS) {
      if (!request.replacesOldest)
        throw new CredentialFault(`${request.entity} already has ${ACTIVE_TOKENS} active tokens; revoke one first.`)
    }
    const token = newToken(request.kind)
    const credential_id = newId('cred_')
    await tx
      .insertInto('credentials')
      .values({
        credential_id,
        entity: request.entity,
        side: request.side,
        gate,
        token_sha256: tokenHash(token),
        last_four: token.slice(-4),
        scopes: [...scopes],
        expires_at,
      })
      .execute()
    const after = { gate, scopes, expires_at, last_four: token.slice(-4) }
    await recordAct(tx, operator(request.entity, request.side, via), { action: 'token.issued', target: credential_id, after })
    const replaced = active.length >= ACTIVE_TOKENS ? active[0] : undefined
    if (replaced !== undefined) await revoke(tx, replaced.credential_id, via, credential_id)
    return { credential_id, token }
  })
}

export async function listCredentials({ sql }: Database) {
  return sql
    .selectFrom('credentials')
    .select(['credential_id', 'entity', 'side', 'gate', 'last_four', 'scopes', 'created_at', 'expires_at', 'revoked_at'])
    .orderBy('credential_id')
    .execute()
}

/**
 * Revokes a credential by its id or its token. Running servers stop accepting it within 5 s. Webhooks and queues on its authority stop or
 * pass to its successor. Returns how many stopped; undefined if there is no such valid credential.
 */
export async function revokeCredential(
  { sql }: Pick<Database, 'sql'>,
  idOrToken: string,
  { via = 'platform', successor }: { via?: 'command_line' | 'platform'; successor?: string | undefined } = {},
): Promise<{ stopped: number } | undefined> {
  return sql.transaction().execute((tx) => revoke(tx, idOrToken, via, successor))
}

async function revoke(
  tx: Tx,
  idOrToken: string,
  via: 'command_line' | 'platform',
  successor: string | undefined,
): Promise<{ stopped: number } | undefined> {
  const revoked = await tx
    .updateTable('credentials')
    .set({ revoked_at: new Date().toISOString() })
    .where(({ eb }) => eb.or([eb('credential_id', '=', idOrToken), eb('token_sha256', '=', tokenHash(idOrToken))]))
    .where('revoked_at', 'is', null)
    .returning(['credential_id', 'entity', 'side'])
    .executeTakeFirst()
  if (revoked === undefined) return undefined
  await recordAct(tx, operator(revoked.entity, revoked.side, via), { action: 'token.revoked', target: revoked.credential_id })
  const heir = successor === undefined ? undefined : await requireSuccessor(tx, successor, revoked.entity)
  return { stopped: await endAuthority(tx, revoked.credential_id, 'credential_revoked', via, heir) }
}

async function requireSuccessor(tx: Tx, successor: string, entity: string): Promise<Authority | undefined> {
  const row = await validCredentials(tx, entity)
    .select(['credential_id', 'scopes', 'expires_at'])
    .where('credential_id', '=', successor)
    .executeTakeFirst()
  if (row === undefined) throw new CredentialFault(`${successor} is not an active credential of ${entity}.`)
  return row.scopes.includes('webhooks:write') ? authorityOf({ ...row, ...livesOf(row) }) : undefined
}

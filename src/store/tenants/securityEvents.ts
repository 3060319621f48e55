import type { SecurityEvent } from '../../contract/securityEvent.ts'
import type { CredentialSide, SecurityAction, SecurityVia } from '../../contract/vocabulary/access.ts'
import { changedMembers } from '../../domain/audit/changedMembers.ts'
import { overLimit } from '../../domain/overLimit.ts'
import type { Database, Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'

/** Who acts for a tenant, and through which interface and address. */
export interface Actor {
  readonly entity: string
  readonly side: CredentialSide
  readonly via: SecurityVia
  readonly credential_id: string | null
  readonly source_ip: string | null
  /** The name of the person, if one was signed in. */
  readonly person?: string | null
}

/** The interfaces of the operator. */
export type OperatorVia = Exclude<SecurityVia, 'api' | 'console' | 'sftp'>

/** A security-relevant act. `before` and `after` are compared, and only their differences are stored: never pass a secret. */
export interface Act {
  action: SecurityAction
  target?: string
  before?: object | null
  after?: object | null
}

/** The most acts of a tenant per day, since each is a permanent row. */
const ACTS_PER_DAY = 10_000

/** Builds the actor for the operator, at the command line or at a start. */
export function operator(entity: string, side: CredentialSide, via: OperatorVia): Actor {
  return { entity, side, via, credential_id: null, source_ip: null }
}

/**
 * Records an act within the act's own transaction. Does not record a change without effect. RATE_LIMITED beyond the day's bound, which also
 * undoes the act.
 */
export async function recordAct(tx: Tx, actor: Actor, { action, target, before = null, after = null }: Act): Promise<void> {
  const changed = changedMembers(before, after)
  if (changed === undefined && (before !== null || after !== null)) return
  if (actor.via === 'api' || actor.via === 'console') await refuseBeyondDay(tx, actor, action)
  await tx
    .insertInto('security_events')
    .values({ ...actor, event_id: newId('sec_'), action, target: target ?? null, ...texts(changed) })
    .execute()
}

/** Refuses acts beyond the day's bound. Sign-ins (per credential, as they need no scope) and subjects never use up a tenant's acts. */
async function refuseBeyondDay(tx: Tx, { entity, credential_id }: Actor, action: Act['action']): Promise<void> {
  const isSignIn = action === 'session.opened'
  const max = isSignIn ? SIGN_INS_PER_DAY : ACTS_PER_DAY
  const acts = tx
    .selectFrom('security_events')
    .select('occurred_at')
    .where('entity', '=', entity)
    .where('via', 'in', ['api', 'console'])
    .where('action', '<>', 'sign_in.refused')
  const counted = isSignIn
    ? acts.where('action', '=', action).where('credential_id', '=', credential_id)
    : acts.where('action', 'not in', ['session.opened', 'subject.admitted'])
  const oldest = await counted
    .orderBy('event_id', 'desc')
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst()
  const over = oldest === undefined ? 0 : Date.parse(oldest.occurred_at) + DAY_MS - Date.now()
  if (over <= 0) return
  const retry_after = Math.ceil(over / 1_000)
  const quota = { limit: isSignIn ? 'sign-ins' : 'audited acts', most: max, window_s: DAY_MS / 1_000 }
  const message = isSignIn
    ? `A token opens sessions ${max} times a day at most.`
    : `A tenant changes tokens, rules, secrets, agreements and endpoints ${max} times a day at most.`
  throw overLimit(quota, message, retry_after)
}

const SIGN_INS_PER_DAY = 1_000
const DAY_MS = 24 * 60 * 60 * 1_000

function texts(changed: ReturnType<typeof changedMembers>): { before: string | null; after: string | null } {
  const text = (members: object | null | undefined) => (members ? JSON.stringify(members) : null)
  return { before: text(changed?.before), after: text(changed?.after) }
}

/** Records that a credential was refused, and how often since the last record. */
export async function recordRefusedSignIn(
  { sql }: Pick<Database, 'sql'>,
  refused: Actor,
  reason: 'revoked' | 'expired',
  times: number,
): Promise<void> {
  await sql
    .insertInto('security_events')
    .values({
      ...refused,
      event_id: newId('sec_'),
      action: 'sign_in.refused',
      target: null,
      before: null,
      after: JSON.stringify({ reason }),
      times,
    })
    .execute()
}

export interface SecurityEventFilter {
  action?: readonly SecurityAction[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Lists a tenant's entries, newest first, below `before`. */
export async function listSecurityEvents(
  { sql }: Pick<Database, 'sql'>,
  entity: string,
  { action, from, to }: SecurityEventFilter,
  before: string | undefined,
  limit: number,
): Promise<SecurityEvent[]> {
  let query = sql
    .selectFrom('security_events as e')
    .leftJoin('credentials as c', (join) => join.onRef('c.credential_id', '=', 'e.credential_id').onRef('c.entity', '=', 'e.entity'))
    .leftJoin('subjects as s', (join) => join.onRef('s.subject_id', '=', 'e.credential_id').onRef('s.entity', '=', 'e.entity'))
    .select([
      'event_id',
      'occurred_at',
      'action',
      'via',
      'e.credential_id',
      'c.last_four',
      's.subject',
      'source_ip',
      'person',
      'target',
      'before',
      'after',
      'times',
    ])
    .where('e.entity', '=', entity)
  if (action !== undefined) query = query.where('action', 'in', action)
  if (from !== undefined) query = query.where('occurred_at', '>=', new Date(from).toISOString())
  if (to !== undefined) query = query.where('occurred_at', '<', new Date(to).toISOString())
  if (before !== undefined) query = query.where('event_id', '<', before)
  return query.orderBy('event_id', 'desc').limit(limit).execute()
}

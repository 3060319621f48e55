import { sql as raw } from 'kysely'
import type { Scope } from '../../contract/vocabulary/access.ts'
import { SCOPES } from '../../contract/vocabulary/access.ts'
import type { EventType } from '../../contract/vocabulary.ts'
import { readableEvents } from '../../domain/events/readableEvents.ts'
import { topicsOf } from '../../domain/events/subscription.ts'
import type { Database, Tx } from '../connection/database.ts'
import { type OperatorVia, operator, recordAct } from '../tenants/securityEvents.ts'
import { validCredentials } from '../tenants/validCredentials.ts'
import { dropPending, wakeSender } from './deliveries.ts'

/** The authority under which an endpoint or a queue receives events: what the credential may read, and until when. */
export interface Authority {
  readonly credential_id: string
  readonly authorized_until: string | null
  readonly readable: EventType[]
}

type Over = 'credential_revoked' | 'credential_expired'

export function authorityOf(credential: { credential_id: string; scopes: ReadonlySet<Scope>; expires_at: number | null }): Authority {
  const { credential_id, scopes, expires_at } = credential
  return {
    credential_id,
    authorized_until: expires_at === null ? null : new Date(expires_at).toISOString(),
    readable: readableEvents(scopes),
  }
}

/**
 * Ends what a credential authorized. Each of its endpoints and its queue passes to the heir if the heir may read what it receives; the
 * others stop. Returns how many stopped.
 */
export async function endAuthority(tx: Tx, credentialId: string, reason: Over, via: OperatorVia, heir?: Authority): Promise<number> {
  return (await endEndpoints(tx, credentialId, reason, via, heir)) + (await endQueue(tx, credentialId, reason, via, heir))
}

async function endEndpoints(tx: Tx, credentialId: string, reason: Over, via: OperatorVia, heir?: Authority): Promise<number> {
  const endpoints = await tx
    .selectFrom('webhook_endpoints as w')
    .innerJoin('tenants as t', 't.entity', 'w.tenant')
    .select(['endpoint_id', 'tenant', 'side', 'events', 'statuses', 'readable'])
    .where('credential_id', '=', credentialId)
    .where('status', '=', 'active')
    .orderBy('endpoint_id')
    .forUpdate('w')
    .execute()
  let stopped = 0
  for (const { endpoint_id, tenant, side, events, statuses, readable } of endpoints) {
    const actor = operator(tenant, side, via)
    const passed = heir !== undefined && mayRead(heir, { events, readable })
    const change = passed
      ? { ...heir, topics: topicsOf({ events, statuses, readable: heir.readable }) }
      : { status: 'disabled' as const, disabled_reason: reason, credential_id: null, authorized_until: null }
    await tx.updateTable('webhook_endpoints').set(change).where('endpoint_id', '=', endpoint_id).execute()
    const action = passed ? 'webhook_endpoint.handed_over' : 'webhook_endpoint.disabled'
    await recordAct(tx, actor, { action, target: endpoint_id, after: passed ? { credential_id: heir.credential_id } : { reason } })
    if (passed) continue
    stopped += 1
    if (await dropPending({ sql: tx }, endpoint_id, 'endpoint_disabled')) await wakeSender(tx, endpoint_id)
  }
  return stopped
}

/** Ends a queue's authority. A stopped queue keeps its position, so that no event is lost if it is set up again. */
async function endQueue(tx: Tx, credentialId: string, reason: Over, via: OperatorVia, heir?: Authority): Promise<number> {
  const queue = await tx
    .selectFrom('queue_deliveries as q')
    .innerJoin('tenants as t', 't.entity', 'q.tenant')
    .select(['tenant', 'side', 'events', 'readable'])
    .where('credential_id', '=', credentialId)
    .forUpdate('q')
    .executeTakeFirst()
  if (queue === undefined) return 0
  const passed = heir !== undefined && mayRead(heir, queue)
  const change = passed ? heir : { credential_id: null, authorized_until: null, failing_since: new Date().toISOString(), failure: reason }
  await tx.updateTable('queue_deliveries').set(change).where('tenant', '=', queue.tenant).execute()
  const action = passed ? 'queue.handed_over' : 'queue.stopped'
  await recordAct(tx, operator(queue.tenant, queue.side, via), {
    action,
    after: passed ? { credential_id: heir.credential_id } : { reason },
  })
  return passed ? 0 : 1
}

/** Returns true if an authority covers everything that is sent. */
export function mayRead(
  { readable }: Pick<Authority, 'readable'>,
  sent: { events: readonly EventType[] | null; readable: readonly EventType[] },
) {
  return unreadable(readable, sent).length === 0
}

export function unreadable(readable: readonly EventType[], sent: { events: readonly EventType[] | null; readable: readonly EventType[] }) {
  return (sent.events ?? sent.readable).filter((type) => sent.readable.includes(type) && !readable.includes(type))
}

/** Returns the tenant's valid credential that may manage webhooks and expires last; undefined if there is none. */
async function heirOf(tx: Tx, entity: string): Promise<Authority | undefined> {
  const row = await validCredentials(tx, entity)
    .select(['credential_id', 'scopes', 'expires_at'])
    .where(({ eb, val }) => eb(val('webhooks:write'), '=', eb.fn.any('scopes')))
    .orderBy('expires_at', (order) => order.desc().nullsFirst())
    .orderBy('credential_id', 'desc')
    .executeTakeFirst()
  return row && authorityOf({ ...row, ...livesOf(row) })
}

/** Returns the stored scopes of a credential, including those that they imply, and its end. */
export function livesOf({ scopes, expires_at }: { scopes: readonly Scope[]; expires_at: string | null }) {
  return {
    scopes: new Set<Scope>(scopes.flatMap((scope) => [scope, ...SCOPES[scope]])),
    expires_at: expires_at === null ? null : Date.parse(expires_at),
  }
}

/**
 * Passes what expired credentials authorized to another valid one of the tenant that may read as much, since an expiry is foreseen and no
 * sign of distrust. If there is none, the delivery stops.
 */
export async function closeExpired({ sql }: Pick<Database, 'sql'>): Promise<void> {
  const now = raw<string>`now()`
  const lapsed = await sql
    .selectFrom('webhook_endpoints')
    .select(['credential_id', 'tenant'])
    .where('status', '=', 'active')
    .where('authorized_until', '<=', now)
    .union((eb) => eb.selectFrom('queue_deliveries').select(['credential_id', 'tenant']).where('authorized_until', '<=', now))
    .execute()
  for (const { credential_id, tenant } of lapsed) {
    if (credential_id === null) continue
    await sql.transaction().execute(async (tx) => {
      await endAuthority(tx, credential_id, 'credential_expired', 'platform', await heirOf(tx, tenant))
    })
  }
}

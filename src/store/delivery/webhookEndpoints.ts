import type { CreateEndpoint, WebhookEndpoint } from '../../contract/webhook.ts'
import { topicsOf } from '../../domain/events/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { EndpointHealth } from '../../domain/webhooks/attempts.ts'
import type { Database, Tx } from '../connection/database.ts'
import { newId } from '../connection/newId.ts'
import type { SecretBox } from '../tenants/secrets.ts'
import { type Actor, recordAct } from '../tenants/securityEvents.ts'
import { dropPending, wakeSender } from './deliveries.ts'
import type { PreviousSecret } from './deliveryTables.ts'
import { newEndpointSecret, openEndpointSecrets, rotateEndpointSecret, sealEndpointSecret } from './endpointSecrets.ts'
import { type Authority, closeExpired } from './eventAuthority.ts'
import { type ReceiverRow, readReceiverRow } from './readReceiverRow.ts'

/** The endpoints that tenants of both sides have registered. A deleted one is kept for its log, and reads as unknown. */

type Sql = Pick<Database, 'sql'>

/** The most endpoints of a tenant, since each of its events is a row for each of them. */
const MAX_ENDPOINTS = 50

/** Adds an endpoint. The returned secret is never stored in clear text. INVALID_INPUT if the tenant has as many endpoints as it may. */
export async function addEndpoint(
  { sql }: Sql,
  box: SecretBox,
  actor: Actor,
  authority: Authority,
  { url, events, statuses }: CreateEndpoint,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const tenant = actor.entity
  const endpoint_id = newId('whe_')
  const secret = newEndpointSecret()
  const asked = { events: distinct(events), statuses: distinct(statuses) }
  return sql.transaction().execute(async (tx) => {
    await tx.selectFrom('tenants').select('entity').where('entity', '=', tenant).forUpdate().executeTakeFirstOrThrow()
    const held = await tx
      .selectFrom('webhook_endpoints')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('tenant', '=', tenant)
      .where('status', '!=', 'deleted')
      .executeTakeFirstOrThrow()
    if (Number(held.count) >= MAX_ENDPOINTS)
      throw new Refusal('INVALID_INPUT', `A tenant may have ${MAX_ENDPOINTS} endpoints: delete one first.`, { most: MAX_ENDPOINTS })
    const row = await tx
      .insertInto('webhook_endpoints')
      .values({
        endpoint_id,
        tenant,
        url,
        ...asked,
        ...authority,
        topics: topicsOf({ ...asked, readable: authority.readable }),
        secret: sealEndpointSecret(box, endpoint_id, secret),
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    await recordAct(tx, actor, { action: 'webhook_endpoint.registered', target: endpoint_id, after: { host: new URL(url).host, ...asked } })
    return { endpoint: shown(box, row), secret }
  })
}

export function distinct<Word>(words: readonly Word[] | null | undefined): Word[] | null {
  return words ? [...new Set(words)] : null
}

export async function findEndpoint(
  { sql }: Sql,
  box: SecretBox,
  tenant: string,
  endpoint_id: string,
): Promise<WebhookEndpoint | undefined> {
  const row = await sql
    .selectFrom('webhook_endpoints')
    .select(COLUMNS)
    .where('tenant', '=', tenant)
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '!=', 'deleted')
    .executeTakeFirst()
  return row && shown(box, row)
}

export async function listEndpoints(
  { sql }: Sql,
  box: SecretBox,
  tenant: string,
  after: string | undefined,
  limit: number,
): Promise<WebhookEndpoint[]> {
  let query = sql.selectFrom('webhook_endpoints').select(COLUMNS).where('tenant', '=', tenant).where('status', '!=', 'deleted')
  if (after !== undefined) query = query.where('endpoint_id', '>', after)
  return (await query.orderBy('endpoint_id').limit(limit).execute()).map((row) => shown(box, row))
}

/** Deletes an endpoint and stops its deliveries, even those of an active sender. Idempotent; false if it was never the tenant's. */
export async function deleteEndpoint({ sql }: Sql, actor: Actor, endpoint_id: string): Promise<boolean> {
  return sql.transaction().execute(async (tx) => {
    const before = await lockOwn(tx, actor, endpoint_id)
    if (before === undefined) return false
    if (before.status === 'deleted') return true
    await tx
      .updateTable('webhook_endpoints')
      .set({ status: 'deleted', disabled_reason: null })
      .where('endpoint_id', '=', endpoint_id)
      .execute()
    await recordAct(tx, actor, { action: 'webhook_endpoint.deleted', target: endpoint_id, before: { host: new URL(before.url).host } })
    if (await dropPending({ sql: tx }, endpoint_id, 'endpoint_deleted')) await wakeSender(tx, endpoint_id)
    return true
  })
}

/** Locks an endpoint of the actor's tenant, and returns what was chosen for it; undefined if there is none. */
export function lockOwn(tx: Tx, { entity }: Actor, endpoint_id: string) {
  return tx
    .selectFrom('webhook_endpoints')
    .select(['status', 'url', 'events', 'statuses', 'readable', 'credential_id'])
    .where('tenant', '=', entity)
    .where('endpoint_id', '=', endpoint_id)
    .forUpdate()
    .executeTakeFirst()
}

export function rotateSecret(
  { sql }: Sql,
  box: SecretBox,
  actor: Actor,
  endpoint_id: string,
  expires: 'now' | 'in_24_hours' = 'in_24_hours',
): ReturnType<typeof rotateEndpointSecret> {
  return sql.transaction().execute(async (tx) => {
    const rotated = await rotateEndpointSecret(tx, box, actor.entity, endpoint_id, expires)
    if (rotated === undefined) return undefined
    await recordAct(tx, actor, { action: 'webhook_endpoint.secret_rotated', target: endpoint_id })
    await wakeSender(tx, endpoint_id) // resumes deliveries that waited for a readable secret
    return rotated
  })
}

/** What a sender needs of an endpoint; `secrets` are in clear text, for the signature only; empty if none can be opened. */
export interface Receiver {
  tenant: string
  url: string
  secrets: string[]
  /** Milliseconds since 1970. */
  failingSince: number | null
}

/** Returns undefined if the endpoint is not active or its credential is no longer valid. */
export async function readReceiver(db: Database, box: SecretBox, endpoint_id: string): Promise<Receiver | undefined> {
  const row = await readReceiverRow(db.pool, endpoint_id)
  if (!row?.expired) return row && asReceiver(row, box, endpoint_id)
  await closeExpired(db)
  const current = await readReceiverRow(db.pool, endpoint_id)
  return current && !current.expired ? asReceiver(current, box, endpoint_id) : undefined
}

function asReceiver(row: ReceiverRow, box: SecretBox, endpoint_id: string): Receiver {
  return {
    tenant: row.tenant,
    url: row.url,
    secrets: openEndpointSecrets(box, endpoint_id, row).secrets,
    failingSince: row.failing_since === null ? null : Date.parse(row.failing_since),
  }
}

/** Saves the health of an active endpoint. A disabled endpoint receives nothing more until it is enabled. */
export async function saveHealth({ sql }: Sql, endpoint_id: string, { failingSince, disabled }: EndpointHealth): Promise<void> {
  const failing_since = failingSince === null ? null : new Date(failingSince).toISOString()
  await sql
    .updateTable('webhook_endpoints')
    .set({ failing_since, ...(disabled === undefined ? {} : { status: 'disabled' as const, disabled_reason: disabled }) })
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '=', 'active')
    .execute()
  if (disabled !== undefined) await dropPending({ sql }, endpoint_id, 'endpoint_disabled')
}

/** The columns that `shown` makes the endpoint of. */
export const COLUMNS = [
  'endpoint_id',
  'url',
  'events',
  'statuses',
  'credential_id',
  'readable as readable_events',
  'status',
  'disabled_reason',
  'failing_since',
  'created_at',
  'secret',
  'previous_secrets',
] as const

export function shown(
  box: SecretBox,
  row: {
    [Column in keyof WebhookEndpoint as Exclude<
      Column,
      'status' | 'disabled_reason' | 'failing_since' | 'unreadable_secrets'
    >]: WebhookEndpoint[Column]
  } & {
    status: 'active' | 'disabled' | 'deleted'
    disabled_reason: WebhookEndpoint['disabled_reason'] | null
    failing_since: string | null
    secret: Buffer
    previous_secrets: PreviousSecret[]
  },
): WebhookEndpoint {
  const { disabled_reason, failing_since, status, created_at, secret, previous_secrets, ...rest } = row
  const { unreadable } = openEndpointSecrets(box, row.endpoint_id, { secret, previous_secrets })
  return {
    ...rest,
    status: status === 'active' ? 'active' : 'disabled',
    ...(disabled_reason ? { disabled_reason } : {}),
    ...(failing_since === null ? {} : { failing_since }),
    ...(unreadable.length === 0 ? {} : { unreadable_secrets: unreadable }),
    created_at,
  }
}

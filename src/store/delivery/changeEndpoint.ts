import type { ChangeEndpoint, WebhookEndpoint } from '../../contract/webhook.ts'
import { mayNotRead } from '../../domain/events/readableEvents.ts'
import { topicsOf } from '../../domain/events/subscription.ts'
import type { Database, Tx } from '../connection/database.ts'
import type { SecretBox } from '../tenants/secrets.ts'
import { type Actor, recordAct } from '../tenants/securityEvents.ts'
import { type Authority, unreadable } from './eventAuthority.ts'
import { COLUMNS, distinct, lockOwn, shown } from './webhookEndpoints.ts'

/**
 * Changes the URL and the filters of an endpoint, on this authority from now on; what is left out stays. Its senders read the URL for each
 * round, and events choose endpoints as they happen. Undefined if the tenant has no such endpoint. FORBIDDEN if the authority does not
 * cover everything that the endpoint is then sent.
 */
export function changeEndpoint(
  { sql }: Pick<Database, 'sql'>,
  box: SecretBox,
  actor: Actor,
  authority: Authority,
  endpoint_id: string,
  { url, events, statuses }: ChangeEndpoint,
): Promise<WebhookEndpoint | undefined> {
  return sql.transaction().execute(async (tx) => {
    const before = await lockOwn(tx, actor, endpoint_id)
    if (before === undefined || before.status === 'deleted') return undefined
    const chosen = {
      url: url ?? before.url,
      events: events === undefined ? before.events : distinct(events),
      statuses: statuses === undefined ? before.statuses : distinct(statuses),
    }
    const { readable } = events === undefined ? before : authority
    const row = await sendOn(tx, authority, endpoint_id, { ...chosen, readable }, chosen)
    await recordAct(tx, actor, {
      action: 'webhook_endpoint.changed',
      target: endpoint_id,
      before: told(before, before.credential_id),
      after: told(chosen, authority.credential_id),
    })
    return shown(box, row)
  })
}

/**
 * Activates an endpoint, with its failures cleared, on this authority from now on; dropped deliveries stay dropped. FORBIDDEN if the
 * authority does not cover everything that the endpoint is sent.
 */
export async function enableEndpoint(
  { sql }: Pick<Database, 'sql'>,
  box: SecretBox,
  actor: Actor,
  authority: Authority,
  endpoint_id: string,
): Promise<WebhookEndpoint | undefined> {
  return sql.transaction().execute(async (tx) => {
    const before = await lockOwn(tx, actor, endpoint_id)
    if (before === undefined || before.status === 'deleted') return undefined
    const row = await sendOn(tx, authority, endpoint_id, before, { status: 'active', disabled_reason: null, failing_since: null })
    const { credential_id, status } = before
    const change = { before: { status, credential_id }, after: { status: row.status, credential_id: authority.credential_id } }
    await recordAct(tx, actor, { action: 'webhook_endpoint.enabled', target: endpoint_id, ...change })
    return shown(box, row)
  })
}

/**
 * Writes an endpoint that is sent events on this authority from now on. FORBIDDEN if the authority does not cover everything that the endpoint
 * is then sent.
 */
function sendOn(
  tx: Tx,
  authority: Authority,
  endpoint_id: string,
  { events, statuses, readable }: Pick<WebhookEndpoint, 'events' | 'statuses'> & Pick<Authority, 'readable'>,
  written: Partial<Pick<WebhookEndpoint, 'url' | 'events' | 'statuses' | 'status'>> & { disabled_reason?: null; failing_since?: null },
) {
  const [beyond] = unreadable(authority.readable, { events, readable })
  if (beyond !== undefined) throw mayNotRead(beyond)
  const topics = topicsOf({ events, statuses, readable: authority.readable })
  return tx
    .updateTable('webhook_endpoints')
    .set({ ...written, ...authority, topics })
    .where('endpoint_id', '=', endpoint_id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Returns what the audit log shows of an endpoint: of its URL only the host, since a path may hold a secret of the receiver. */
function told({ url, events, statuses }: Pick<WebhookEndpoint, 'url' | 'events' | 'statuses'>, credential_id: string | null): object {
  return { host: new URL(url).host, events, statuses, credential_id }
}

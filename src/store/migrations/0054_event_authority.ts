import { type Kysely, sql } from 'kysely'

/**
 * Endpoints and queues are sent events on the authority of a credential: what it may read, for as long as it lives. Those that are there already get
 * that of the widest living credential of their tenant that may manage webhooks; without one they stop.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(COLUMNS + AUTHORIZE).execute(db)
}

const COLUMNS = `
alter table webhook_endpoints add column credential_id text, add column authorized_until timestamptz, add column readable text[] not null default '{}';
alter table queue_deliveries add column credential_id text, add column authorized_until timestamptz, add column readable text[] not null default '{}';
create index webhook_endpoints_by_credential on webhook_endpoints (credential_id) where status = 'active';
create index webhook_endpoints_lapsing on webhook_endpoints (authorized_until) where status = 'active' and authorized_until is not null;
create index queue_deliveries_by_credential on queue_deliveries (credential_id);
`

const AUTHORIZE = `
create temporary table heirs on commit drop as
  select distinct on (entity) entity, credential_id, expires_at,
    case when scopes && array['orders:read', 'orders:write', 'orders:approve'] then array['order.status_changed'] else '{}' end
      || case when scopes && array['catalog:read', 'catalog:write', 'orders:write']
        then array['catalog.rate_card_published', 'catalog.window_opened', 'catalog.avails_answered', 'catalog.integrity_failed'] else '{}' end
      || case when scopes && array['settlement:read', 'settlement:write'] then array['settlement.invoice_issued'] else '{}' end as readable
  from credentials where revoked_at is null and (expires_at is null or expires_at > now()) and 'webhooks:write' = any(scopes)
  order by entity, cardinality(scopes) desc, credential_id desc;

update webhook_endpoints w set credential_id = h.credential_id, authorized_until = h.expires_at, readable = h.readable,
    topics = case when cardinality(h.readable) = 6 then w.topics
      when w.topics is not null then array(select topic from unnest(w.topics) topic where split_part(topic, ':', 1) = any(h.readable))
      else array(select type from unnest(h.readable) type where type <> 'order.status_changed')
        || array(select 'order.status_changed:' || status from unnest(array['submitted', 'validating', 'needs_confirmation', 'confirmed', 'negotiating',
          'seller_review', 'placed', 'canceled', 'rejected', 'failed']) status where 'order.status_changed' = any(h.readable)) end
  from heirs h where h.entity = w.tenant;
update webhook_endpoints set status = 'disabled', disabled_reason = 'credential_revoked' where credential_id is null and status = 'active';

update queue_deliveries q set credential_id = h.credential_id, authorized_until = h.expires_at, readable = h.readable from heirs h where h.entity = q.tenant;
update queue_deliveries set failing_since = now(), failure = 'credential_revoked' where credential_id is null;
drop table heirs;
`

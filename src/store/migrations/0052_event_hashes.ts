import { type Kysely, sql } from 'kysely'

/**
 * Every event carries the hash of the one before and of its own bytes (`src/store/orders/auditChain.ts` says of what exactly). The hashes of events
 * that are there already go into a table of their own: an event's row is never written again, and the checker holds that against it (I11).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLES, BACKFILL, GUARDS]) await sql.raw(statement).execute(db)
}

const TABLES = `
alter table order_events add column hash bytea;

create table earlier_event_hashes (
  order_id text not null,
  seq      integer not null,
  hash     bytea not null,
  primary key (order_id, seq)
);
`

/** Row by row through a cursor: what is in memory is one event, however long the logs are. */
const BACKFILL = `
do $$
declare
  event record;
  last_hash bytea;
begin
  for event in select order_id, seq, body from order_events order by order_id, seq loop
    if event.seq = 1 then
      select sha256(convert_to(concat_ws(e'\\n', 'order-audit-1', order_id, encode(request_sha256, 'hex'),
        encode(sha256(convert_to(request, 'UTF8')), 'hex'),
        encode(sha256(convert_to(regexp_replace(facts, ',"notify_endpoint":"[^"]*"', ''), 'UTF8')), 'hex'),
        encode(sha256(convert_to(reply, 'UTF8')), 'hex'),
        encode(sha256(convert_to(coalesce(facts::json->>'notify_endpoint', ''), 'UTF8')), 'hex')), 'UTF8'))
      into last_hash from order_records where order_id = event.order_id;
    end if;
    last_hash := sha256(convert_to(concat_ws(e'\\n', encode(last_hash, 'hex'), event.seq, event.body), 'UTF8'));
    insert into earlier_event_hashes values (event.order_id, event.seq, last_hash);
  end loop;
end $$;
`

const GUARDS = `
alter table order_events add constraint order_events_hashed check (hash is not null) not valid;

create trigger earlier_event_hashes_append_only before update or delete on earlier_event_hashes for each row execute function refuse_change();
create trigger earlier_event_hashes_never_truncated before truncate on earlier_event_hashes for each statement execute function refuse_change();
grant select on earlier_event_hashes to marketplace_app;
`

import { type Kysely, sql } from 'kysely'

/**
 * Quotes that ended before they lapsed. A quote of several weeks is several prices: `quote_id` names the quote, the first of them. Quotes whose order
 * has ended, or no longer shows them, end with this migration.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table rate_entries add column quote_id text;
create index rate_commits_of_order on rate_commits (order_id) where order_id is not null;

create table ended_quotes (
  ended_id     text primary key references rate_entries (locked_rate_id),
  seller       text not null,
  buyer_entity text not null,
  reason       text not null,
  ended_at     timestamptz not null default now()
);
grant select, insert on ended_quotes to marketplace_app;

with quoted as (
  select c.commit_no, c.seller, c.visible_to, e.locked_rate_id, o.status, (o.snapshot_head || o.snapshot_lines || '}')::jsonb as snapshot
  from rate_commits c join rate_entries e using (commit_no) join orders o using (order_id)
), seen as (
  select *, (select min(line->>'status') from jsonb_array_elements(snapshot->'line_items') line
      where line->'rate'->>'locked_rate_id' = locked_rate_id) as line_status,
    exists (select from jsonb_array_elements(snapshot->'artifacts') artifact, jsonb_array_elements(artifact->'line_items') line
      where artifact->>'name' = 'plan_proposal' and line->'rate'->>'locked_rate_id' = locked_rate_id) as planned
  from quoted
), commits as (
  select *, bool_or(planned or coalesce(line_status <> 'rejected', false)) over (partition by commit_no) as shown from seen
)
insert into ended_quotes (ended_id, seller, buyer_entity, reason)
select locked_rate_id, seller, visible_to, case when status in ('canceled', 'rejected', 'failed') then 'rejected' else 'replaced' end
from commits where status in ('canceled', 'rejected', 'failed') or line_status = 'rejected' or not shown;
`)
    .execute(db)
}

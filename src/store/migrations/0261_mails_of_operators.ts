import { type Kysely, sql } from 'kysely'

/** Operators list the order mails of all tenants that wait or did not arrive, with the reason, without their addresses and documents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [VIEW, INDEXES]) await sql.raw(statement).execute(db)
}

/** The view of migration 0236, with further columns at its end. */
const VIEW = `
create or replace view ops_edi_messages as
  select message_id, status, created_at, order_id, seller, status_reason, agreement_id, buyer_entity, document, stuck, attempts, due_at
  from edi_messages where (select pg_has_role(current_user, 'marketplace_platform', 'member') or operator_acts())`

const INDEXES = `
create index edi_messages_waiting on edi_messages (message_id) where status = 'queued';
create index edi_messages_not_arrived on edi_messages (message_id) where status in ('failed', 'bounced')`

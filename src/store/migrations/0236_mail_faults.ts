import { type Kysely, sql } from 'kysely'

/** Operators see the order mails whose document failed its own check, and why: such a fault is the platform's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [VIEW, INDEX]) await sql.raw(statement).execute(db)
}

/** The view of migration 0160, with further columns at its end. */
const VIEW = `
create or replace view ops_edi_messages as
  select message_id, status, created_at, order_id, seller, status_reason from edi_messages
  where (select pg_has_role(current_user, 'marketplace_platform', 'member') or operator_acts())`

const INDEX = `
create index edi_messages_invalid on edi_messages (created_at) where status = 'failed' and status_reason like 'invalid_document:%'`

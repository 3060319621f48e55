import { type Kysely, sql } from 'kysely'

/**
 * When tables are vacuumed. Queues have few rows that change all the time: a share of their size would never be reached, or always. Of tables that
 * only grow a fifth is far too much: new rows are to be read from indexes alone, and frozen before their transaction ids run out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const queues = ['outbox', 'reconcile_due', 'edi_messages'].map(
    (table) =>
      `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);`,
  )
  const changing = ['orders', 'deliveries'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);`,
  )
  const growing = ['order_events', 'feed'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);`,
  )
  await sql.raw([...queues, ...changing, ...growing].join('\n')).execute(db)
}

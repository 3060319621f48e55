import { type Kysely, sql } from 'kysely'

/**
 * Snapshots show the request of a proposal and the document of a document order: those that were rendered before show it from now on too,
 * letter by letter as the record has it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [workflow, member] of [
    ['proposal', 'request'],
    ['document', 'document'],
  ] as const) {
    await sql`update orders o set snapshot_lines = ${`,"${member}":`}::text || (r.request::json->${member}::text)::text || o.snapshot_lines
      from order_records r where r.order_id = o.order_id and o.workflow = ${workflow} and o.snapshot_lines like ',"line\_items":%'`.execute(
      db,
    )
  }
}

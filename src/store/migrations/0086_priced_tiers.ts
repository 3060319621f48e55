import { type Kysely, sql } from 'kysely'

/** The clearance tiers that a product is priced for count towards the bound on its keys. Those published before this are not known until they are published again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table priced_values drop constraint priced_values_member_check;
alter table priced_values add constraint priced_values_member_check
  check (member in ('buy_type', 'spot_length', 'advertiser_class', 'currency', 'market_class', 'clearance_tier'));
`)
    .execute(db)
}

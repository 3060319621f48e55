import { type Kysely, sql } from 'kysely'

/** Where the prices of a large rate card are laid down before the short transaction of its commit, as avails are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create unlogged table rates_staging (
  publish_id             uuid not null,
  staged_at              timestamptz not null default now(),
  locked_rate_id         text not null,
  week                   text not null,
  product_id             text not null,
  market_class           text not null,
  advertiser_class       text not null,
  spot_length            integer not null,
  buy_type               text not null,
  clearance_tier         text,
  gross_rate_unit        numeric,
  gross_rate_cpm         numeric,
  currency               text not null,
  guaranteed_impressions bigint,
  audience_code          text,
  window_opens           timestamptz,
  window_closes          timestamptz,
  quote_expires_at       timestamptz
);
grant select, insert, delete on rates_staging to marketplace_app;
`)
    .execute(db)
}

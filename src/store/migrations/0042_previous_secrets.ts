import { type Kysely, sql } from 'kysely'

/**
 * Every earlier secret of an endpoint signs until its own time: a list in place of one. Hosts of URLs lie in lower case, as they are compared.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table webhook_endpoints add column previous_secrets jsonb not null default '[]'; -- [{sealed: base64, until: ISO UTC}], oldest first
update webhook_endpoints set previous_secrets = jsonb_build_array(jsonb_build_object(
    'sealed', replace(encode(previous_secret, 'base64'), E'\\n', ''),
    'until', to_char(previous_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  where previous_until > now() and previous_secret is not null;
alter table webhook_endpoints drop column previous_secret, drop column previous_until;

update webhook_endpoints set url = lower(substring(url from '^https?://[^/?#]+')) || substring(url from '^https?://[^/?#]+(.*)$')
  where url ~ '^https?://[^/?#]*[A-Z]';
`)
    .execute(db)
}

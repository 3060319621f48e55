import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'

/** Tables without row security, and the reason why they need none. */
export const NOT_OF_TENANTS: Readonly<Record<string, string>> = {
  kysely_migration: 'which migrations were run',
  platform_keys: 'what signs cursors; the same for all',
  secrets_key: 'the fingerprint of the key of secrets; the same for all',
  scope_keys: 'what scopes are believed by; no role but the owner reads it',
  sandbox: 'whether the database is one of a sandbox; the same for all',
  feed_eras: 'where the places of the feed begin; the same for all',
}

/** Writes rows of one buyer and one seller, as the owner, into tables that none of their orders has filled, as small as they can be. */
export async function ownRows(
  databaseUrl: string,
  { buyer, seller, order }: { buyer: string; seller: string; order: string },
): Promise<void> {
  const statements = [
    sql`insert into creatives (creative_id, buyer_entity, creative_code, name, length_seconds, created_at) values (${`crv_${buyer}`}, ${buyer}, 'c', 'c', 30, now())`,
    sql`insert into uploads (upload_id, buyer_entity, filename, format, size_bytes, status, created_at, expires_at)
      values (${`upl_${buyer}`}, ${buyer}, 'f', 'csv', 1, 'pending', now(), now() + interval '1 day')`,
    sql`insert into fresh_tenants (entity, side, made_by, expires_at) values (${buyer}, 'buyer', 'cred_1', now() + interval '1 day')`,
    sql`insert into order_uploads (order_id, upload_id) values (${order}, ${`upl_${buyer}`})`,
    sql`insert into order_outcomes (order_id, command_id, last_seq, outcome) values (${order}, 'cmd_1', 1, '{}')`,
    sql`insert into remote_asks (order_id, asked_at) values (${order}, now())`,
    sql`insert into agreements (agreement_id, seller, buyer_entity, status, effective, body)
      values (${`agr_${seller}`}, ${seller}, ${buyer}, 'active', '[2030-01-01,2030-12-31]', '{}')`,
    sql`insert into seller_buyers (seller, buyer_entity, status, allowlisted) values (${seller}, ${buyer}, 'active', true)`,
    sql`insert into avails_requests (request_id, seller, buyer_entity, product_id, grain, start)
      values (${`req_${buyer}`}, ${seller}, ${buyer}, 'p', 'week', '2030-W23')`,
    sql`insert into avails_disclosed (seller, buyer_entity, product_id, grain, start) values (${seller}, ${buyer}, 'p', 'week', '2030-W23')`,
    sql`insert into holds (hold_id, seller, buyer_entity, status, lines, created_at, expires_at, at_seller)
      values (${`hold_${buyer}`}, ${seller}, ${buyer}, 'held', '[]', now(), now() + interval '1 hour', false)`,
    sql`insert into drops (seller, drop_id, run_no, schema_version, files) values (${seller}, 'd-1', 1, '1.0', '[]')`,
    sql`insert into drop_errors (seller, drop_id, run_no, n, file, row, error_code, message) values (${seller}, 'd-1', 1, 1, 'f', 1, 'INVALID_ENTRY', '')`,
    sql`insert into drop_files (seller, drop_id, filename, size) values (${seller}, 'd-1', 'f', 1)`,
    sql`insert into drop_landings (seller, drop_id, filename, bytes, until) values (${seller}, 'd-1', 'f', 1, now())`,
    sql`insert into drop_mappings (seller, name, version, type, body) values (${seller}, 'm', 'v', 'avails', '{}')`,
    sql`insert into landed_manifests (seller, drop_id, tag) values (${seller}, 'd-1', 't')`,
    sql`insert into workers (worker_id) values ('w') on conflict do nothing`,
    sql`insert into engine_reports default values on conflict do nothing`,
    sql`insert into endpoint_senders (endpoint_id, sender, held_until) values ('e', 's', now()) on conflict do nothing`,
    sql`insert into drop_watch (watcher, until) values ('w', now()) on conflict do nothing`,
    sql`insert into booked_orders (order_id, seller, buyer_entity, external_order_id, currency) values (${order}, ${seller}, ${buyer}, 'e', 'USD')`,
    sql`insert into booked_spots (order_id, unit_id, air_date, kind, seller, network, product_id, units, spot_length, windows, isci, price, gross)
      values (${order}, 'u', '2030-06-03', 'spot', ${seller}, 'N', 'p', 1, 30, '[]', '[]', 1, 1)`,
    sql`insert into booked_copies (seller, network, isci, air_date, order_id) values (${seller}, 'N', 'C', '2030-06-03', ${order})`,
    sql`insert into as_run_days (seller, network, broadcast_date, log_id, revision, registration, file) values (${seller}, 'N', '2030-06-03', '', 0, 1, 'f')`,
    sql`insert into as_run_rows (seller, order_id, network, broadcast_date, air_date, clock, spot_length, ran, registration, file, row, log_id, status)
      values (${seller}, ${order}, 'N', '2030-06-03', '2030-06-03', 'calendar', 30, false, 1, ${seller}, 1, '', 'Missed')`,
    sql`insert into seller_invoices (seller, invoice_number, invoice_date, broadcast_month, revision, registration, file)
      values (${seller}, 'I', '2030-06-30', '2030-06', 0, 1, 'f')`,
    sql`insert into billed_rows
      (seller, order_id, network, broadcast_date, air_date, clock, spot_length, ran, registration, file, row, invoice_number, broadcast_month, rate)
      values (${seller}, ${order}, 'N', '2030-06-03', '2030-06-03', 'calendar', 30, false, 1, ${seller}, 1, 'I', '2030-06', 1)`,
    sql`insert into as_run_rows_aside select (json_populate_record(null::as_run_rows_aside, to_json(r))).* from as_run_rows r where seller = ${seller}`,
    sql`insert into as_run_undecided (seller, network, broadcast_date, log_id, order_id, registration) values (${seller}, 'N', '2030-06-03', '', ${order}, 1)`,
    sql`insert into billed_rows_aside select (json_populate_record(null::billed_rows_aside, to_json(r))).* from billed_rows r where seller = ${seller}`,
    sql`insert into refused_posts (seller, registration, file, row) values (${seller}, 1, 'f', 0)`,
    sql`insert into post_rows (seller, order_id, unit_id, network, air_date, audience_code, stream, impressions, final, revision, registration, file, row)
      values (${seller}, ${order}, 'u', 'N', '2030-06-03', 'A', 'C3', 1, true, 0, 1, 'f', 1)`,
    sql`insert into reconcile_due (order_id, seller) values (${order}, ${seller})`,
    sql`insert into agreements_due (agreement_id, seller) values (${`agr_${seller}`}, ${seller})`,
    sql`insert into credit_drawn (agreement_id, seller, buyer_entity, drawn) values (${`agr_${seller}`}, ${seller}, ${buyer}, 0)`,
    sql`insert into credit_families (agreement_id, family, seller, buyer_entity, drawn) values (${`agr_${seller}`}, ${order}, ${seller}, ${buyer}, 0)`,
    sql`insert into credit_changes (agreement_id, seller, buyer_entity, amount) values (${`agr_${seller}`}, ${seller}, ${buyer}, 0)`,
    sql`insert into approval_rule_days (seller, rule_id, day, shard, last_used_at) values (${seller}, 'r', '2030-01-01', 0, now())`,
    sql`insert into hold_keys (buyer_entity, key, body_hash, hold_id) values (${buyer}, 'k', '', ${`hold_${buyer}`})`,
    sql`insert into products (seller, product_id, minted_for, body)
      values (${seller}, 'minted', ${buyer}, '{}'), (${seller}, 'agreed', null, '{"visibility":"by_agreement"}')`,
    sql`insert into avails (seller, product_id, grain, start, state, body) values (${seller}, 'p', 'week', '2030-W23', 'available', '{}')`,
    sql`insert into priced_values (seller, product_id, agreement_id, member, value, commit_no)
      values (${seller}, 'p', ${`agr_${seller}`}, 'currency', 'USD', 0)`,
    sql`with quote as (
        insert into rate_commits (seller, commit, visible_to, order_id, effective, body_sha256, reply)
        values (${seller}, 'quote', ${buyer}, ${order}, '[2030-01-01,2030-12-31]', '', '') returning commit_no
      ), scoped as (
        insert into rate_commits (seller, commit, agreement_id, effective, body_sha256, reply)
        values (${seller}, 'scoped', ${`agr_${seller}`}, '[2030-01-01,2030-12-31]', '', '') returning commit_no
      ), windows as (
        insert into rate_windows (opens, seller, commit_no, product_id, week, market_class, closes)
        select now() + interval '1 day', ${seller}, commit_no, 'p', '2030-W23', 'scatter', now() + interval '2 days' from scoped
      )
      insert into rate_entries (locked_rate_id, seller, commit, commit_no, agreement_id, visible_to, product_id, week, market_class, advertiser_class,
        spot_length, buy_type, gross_rate_unit, currency)
      select ${`lr_quote_${buyer}`}, ${seller}, 'quote', commit_no, null, ${buyer}, 'p', '2030-W23', 'scatter', 'general', 30, 'preemptible', 1, 'USD' from quote
      union all
      select ${`lr_scoped_${buyer}`}, ${seller}, 'scoped', commit_no, ${`agr_${seller}`}, null, 'p', '2030-W23', 'scatter', 'general', 30, 'preemptible', 1, 'USD'
      from scoped`,
    sql`insert into rate_commit_parts (commit_no, seller, completes) select -commit_no, seller, commit_no from rate_commits where seller = ${seller}`,
    sql`insert into ended_quotes (ended_id, seller, buyer_entity, reason) values (${`lr_quote_${buyer}`}, ${seller}, ${buyer}, 'replaced')`,
    sql`insert into document_layouts (buyer, seller, fingerprint, answers) values (${buyer}, ${seller}, 'f', '[]')`,
    sql`insert into document_readings (upload_id, reader, anchor, reading) values (${`upl_${buyer}`}, 1, '', '{}')`,
    sql`insert into sftp_keys (key_id, seller, algorithm, public_key, comment) values (${`sfk_${seller}`}, ${seller}, 'ssh-ed25519', '', '')`,
    sql`insert into edi_messages (message_id, order_id, seq, agreement_id, seller, buyer_entity, thread, document, document_id, created_at)
      values (${`edi_${buyer}`}, ${order}, 99, ${`agr_${seller}`}, ${seller}, ${buyer}, ${order}, 'confirmed', ${`edi_${buyer}`}, now())`,
    sql`insert into edi_documents (document_id, headers, terms, descriptors, text) values (${`edi_${buyer}`}, '{}', '{}', '{}', '')`,
    sql`insert into edi_attempts (message_id, n, at, outcome, latency_ms) values (${`edi_${buyer}`}, 1, now(), 'accepted', 1)`,
    sql`insert into edi_resends (message_id, order_id, tenant, asked_at, reply) values (${`edi_${buyer}`}, ${order}, ${buyer}, now(), '')`,
    sql`insert into invoices (invoice_id, seller, buyer_entity, order_id, external_order_id, agreement_id, broadcast_month, kind, n, invoice_number,
        order_seq, currency, gross, commission_pct, commission, net, lines, issued_at)
      values (${`inv_${buyer}`}, ${seller}, ${buyer}, ${order}, 'x', ${`agr_${seller}`}, '2030-06', 'invoice', 1, '3006-00001', 1, 'USD', 0, 0, 0, 0, '[]', now())`,
    sql`insert into invoice_counters (seller, broadcast_month, last) values (${seller}, '2030-06', 1)`,
    sql`insert into reconciliations (order_id, seller, buyer_entity, currency, state, coverage, totals, guarantees, codes, broadcast_months, digest)
      values (${order}, ${seller}, ${buyer}, 'USD', 'reconciled', '{}', '{}', '[]', '{}', '{}', '')`,
    sql`insert into reconciliation_lines (order_id, result, line, seller, buyer_entity, network, air_date, broadcast_month, codes, body)
      values (${order}, 1, 1, ${seller}, ${buyer}, 'N', '2030-06-03', '2030-06', '{}', '{}')`,
    sql`insert into variance_actions (order_id, variance_id, n, seller, buyer_entity, action, side, actor, code, network, air_date, broadcast_month, units, gross)
      values (${order}, 'v', 1, ${seller}, ${buyer}, 'dispute', 'buyer', ${buyer}, 'MISSED', 'N', '2030-06-03', '2030-06', 1, 1)`,
    sql`insert into makegoods (makegood_id, order_id, seller, buyer_entity, status, version, missed, offers, agreed_outside, product_ids, created_at, updated_at)
      values (${`mkg_${buyer}`}, ${order}, ${seller}, ${buyer}, 'credited', 1, '[{"unit_id":"u","date":"2030-06-03","units":1}]', '[]', false, '{}', now(), now())`,
    sql`insert into makegood_steps (makegood_id, n, order_id, seller, buyer_entity, action, side, actor, status, version, at)
      values (${`mkg_${buyer}`}, 1, ${order}, ${seller}, ${buyer}, 'credit', 'buyer', ${buyer}, 'credited', 1, now())`,
    sql`insert into makegood_credits (makegood_id, unit_id, air_date, order_id, seller, buyer_entity, network, units, gross, broadcast_month)
      values (${`mkg_${buyer}`}, 'u', '2030-06-03', ${order}, ${seller}, ${buyer}, 'N', 1, 1, '2030-06')`,
    sql`insert into makegood_days (seller, day, noticed) values (${seller}, '2030-06-03', 1)`,
    ...[buyer, seller].flatMap((tenant) => [
      sql`insert into security_events (event_id, entity, side, action, via)
        select ${`sec_${tenant}`}, entity, side, 'token.issued', 'platform' from tenants where entity = ${tenant}`,
      sql`insert into sessions (session_sha256, credential_id, person, ends_at)
        select sha256(credential_id::bytea), credential_id, entity, now() + interval '1 hour' from credentials where entity = ${tenant}`,
      sql`insert into subjects (subject_id, entity, issuer, subject) values (${`sub_${tenant}`}, ${tenant}, 'https://issuer.example', ${tenant})`,
      sql`insert into webhook_endpoints (endpoint_id, tenant, url, secret) values (${`whe_${tenant}`}, ${tenant}, 'https://one.example', '')`,
      sql`insert into deliveries (endpoint_id, event_type) values (${`whe_${tenant}`}, 'order.status_changed')`,
      sql`insert into request_keys (tenant, operation, key, body_hash) values (${tenant}, 'o', 'k', '')`,
      sql`insert into sandbox_requests (request_id, kind, tenant, body) values (${`agreements:${tenant}`}, 'agreements', ${tenant}, 'null')`,
      sql`insert into refused_requests (tenant, at, request_id, operation, method, path, status, error_code, pointers, credential_id)
        values (${tenant}, now(), 'r', 'o', 'GET', '/', 404, 'NOT_FOUND', '[]', 'c')`,
      sql`insert into tenant_secrets (tenant, name, sealed) values (${tenant}, 'pull', '')`,
      sql`insert into queue_deliveries (tenant, txid, position) values (${tenant}, '0', 0)`,
      sql`insert into notices (event_id, tenant, body) values (${`evt_${tenant}`}, ${tenant}, '{}')`,
      sql`insert into feed (tenant, event_type, event_id) values (${tenant}, 'catalog.updated', ${`evt_${tenant}`})`,
    ]),
  ]
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 1 }) }) })
  try {
    for (const statement of statements) await statement.execute(db)
  } finally {
    await db.destroy()
  }
}

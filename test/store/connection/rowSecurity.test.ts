import { beforeAll, describe, expect, it } from '@jest/globals'
import type { Database } from '../../../src/store/connection/database.ts'
import { NOT_OF_TENANTS, ownRows } from '../../support/invariants/tenantRows.ts'
import { countOn, orderOfOthers, useApiDatabase } from '../../support/useApiDatabase.ts'
import { useMarket } from '../../support/useMarket.ts'

const market = useMarket()
const api = useApiDatabase(market)
let ourOrder: string
let theirOrder: string
let theirCredential: string
beforeAll(async () => {
  ourOrder = await market.created()
  theirOrder = await orderOfOthers(market)
  theirCredential = (await market.owner().query(`select credential_id from credentials where entity = 'zenith'`)).rows[0].credential_id
  await ownRows(market.databaseUrl, { buyer: 'acme', seller: 'cable', order: ourOrder })
  await ownRows(market.databaseUrl, { buyer: 'zenith', seller: 'station', order: theirOrder })
})
market.beforeStop(async () => {
  await market.owner().query('delete from invoices') // no order bills what they say
  await market.owner().query('delete from invoice_counters')
})

/** Rows that are of zenith or station and of nobody else: acme and cable must never see one. */
const orderIsTheirs = () => `order_id = '${theirOrder}'`
const THEIRS: Readonly<Record<string, string | (() => string)>> = {
  agreements: `seller = 'station'`,
  agreements_due: `seller = 'station'`,
  approval_rule_days: `seller = 'station'`,
  avails_disclosed: `seller = 'station'`,
  avails_requests: `seller = 'station'`,
  creatives: `buyer_entity = 'zenith'`,
  credentials: `entity in ('zenith', 'station')`,
  credit_changes: `seller = 'station'`,
  credit_drawn: `seller = 'station'`,
  credit_families: `seller = 'station'`,
  deliveries: `endpoint_id like 'whe\\_%' and endpoint_id not in ('whe_acme', 'whe_cable')`,
  document_layouts: `buyer = 'zenith'`,
  document_readings: `upload_id = 'upl_zenith'`,
  drop_errors: `seller = 'station'`,
  drop_files: `seller = 'station'`,
  drop_landings: `seller = 'station'`,
  drop_mappings: `seller = 'station'`,
  drop_stock: `seller = 'station'`,
  drops: `seller = 'station'`,
  edi_attempts: `message_id = 'edi_zenith'`,
  edi_documents: `document_id = 'edi_zenith'`,
  edi_messages: `seller = 'station'`,
  edi_resends: `tenant = 'zenith'`,
  ended_quotes: `seller = 'station'`,
  feed: `tenant in ('zenith', 'station')`,
  fresh_tenants: `entity = 'zenith'`,
  hold_keys: `buyer_entity = 'zenith'`,
  holds: `seller = 'station'`,
  invoice_counters: `seller = 'station'`,
  invoices: `seller = 'station'`,
  landed_manifests: `seller = 'station'`,
  makegood_credits: `seller = 'station'`,
  makegood_days: `seller = 'station'`,
  makegood_steps: `seller = 'station'`,
  makegoods: `seller = 'station'`,
  notices: `tenant in ('zenith', 'station')`,
  order_events: orderIsTheirs,
  order_outcomes: orderIsTheirs,
  order_records: orderIsTheirs,
  order_uploads: orderIsTheirs,
  orders: orderIsTheirs,
  priced_values: `seller = 'station' and agreement_id <> ''`,
  products: `seller = 'station' and (minted_for is not null or visibility = 'by_agreement')`,
  queue_deliveries: `tenant in ('zenith', 'station')`,
  rate_commit_parts: `seller = 'station'`,
  rate_commits: `seller = 'station' and num_nonnulls(visible_to, agreement_id) > 0`,
  rate_entries: `seller = 'station' and num_nonnulls(visible_to, agreement_id) > 0`,
  rate_windows: `seller = 'station'`,
  reconciliation_lines: `seller = 'station'`,
  reconciliations: `seller = 'station'`,
  refused_requests: `tenant in ('zenith', 'station')`,
  request_keys: `tenant in ('zenith', 'station')`,
  sandbox_requests: `tenant in ('zenith', 'station')`,
  security_events: `entity in ('zenith', 'station')`,
  seller_buyers: `seller = 'station'`,
  sessions: `person in ('zenith', 'station')`,
  sftp_keys: `seller = 'station'`,
  subjects: `entity in ('zenith', 'station')`,
  tenant_secrets: `tenant in ('zenith', 'station')`,
  tenants: `entity = 'zenith'`,
  uploads: `buyer_entity = 'zenith'`,
  variance_actions: `seller = 'station'`,
  webhook_endpoints: `tenant in ('zenith', 'station')`,
}
/** What every tenant may see of every other: the market itself. */
const PUBLISHED = ['sellers', 'avails', 'seller_offers']
/** The platform's alone. */
const INTERNAL = [
  ...['outbox', 'remote_asks', 'drop_watch', 'reconcile_due', 'workers', 'engine_reports', 'endpoint_senders'],
  ...['booked_orders', 'booked_spots', 'booked_copies', 'as_run_days', 'as_run_rows', 'seller_invoices', 'billed_rows', 'post_rows'],
  ...['as_run_rows_aside', 'as_run_undecided', 'billed_rows_aside', 'refused_posts'],
]

const theirsIn = (table: string) => {
  const rule = THEIRS[table]
  return typeof rule === 'function' ? rule() : rule
}

/** The tables of which anybody sees what the market shows to everybody. */
const FOR_EVERYBODY = ['tenants', 'sellers', 'products', 'seller_offers', 'avails', 'rate_commits', 'rate_entries', 'priced_values']

describe('every table', () => {
  it('has policies for both roles, or is on the list of tables that no tenant owns', async () => {
    const { rows } = await market.deps.db.pool.query<{ name: string; roles: string[] | null }>(`
      select relname as name, (select array_agg(distinct r.rolname::text order by r.rolname::text) from pg_policy p join pg_roles r on r.oid = any(p.polroles)
        where p.polrelid = c.oid and relrowsecurity) as roles
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`)
    const named = [...Object.keys(THEIRS), ...PUBLISHED, ...INTERNAL]
    const isHeld = (name: string, roles: string[] | null) => named.includes(name) && roles?.includes('marketplace_platform') === true
    expect(rows.filter(({ name, roles }) => (name in NOT_OF_TENANTS ? roles !== null : !isHeld(name, roles)))).toEqual([])
    const open = rows.filter(({ roles }) => roles === null).map(({ name }) => name)
    expect(open.sort()).toEqual(Object.keys(NOT_OF_TENANTS).sort())
  })

  it.each(Object.keys(THEIRS))('shows a stranger nothing: %s', async (table) => {
    const whose = theirsIn(table)
    expect(await countOn(market.deps.db.pool, table, whose)).toBeGreaterThan(0)
    for (const stranger of ['acme', 'cable'])
      expect([stranger, await countOn(api.as([stranger]).pool, table, whose)]).toEqual([stranger, 0])
    const own = (await countOn(api.as(['zenith']).pool, table, whose)) as number
    expect(own + ((await countOn(api.as(['station']).pool, table, whose)) as number)).toBeGreaterThan(0)
    expect(await countOn(api.pool, table, whose)).toBe(0)
  })

  it('is never asked by a hash of another one, which a plan of small tables keeps when they are large', async () => {
    for (const table of Object.keys(THEIRS)) {
      const { rows } = await api.as(['acme']).pool.query<{ 'QUERY PLAN': string }>(`explain select * from ${table}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect([table, plan]).toEqual([table, expect.not.stringContaining('hashed SubPlan')])
    }
  })

  it.each(INTERNAL)('is empty to tenants where it is the platform’s: %s', async (table) => {
    expect(await countOn(market.deps.db.pool, table)).toBeGreaterThan(0)
    expect(await countOn(api.as(['acme', 'cable', 'zenith', 'station']).pool, table)).toBe(0)
  })

  it('of a tenant is hidden without a scope, but for what is published to everybody', async () => {
    const { rows } = await market.deps.db.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    )
    const shown: string[] = []
    for (const { name } of rows.filter((row) => !(row.name in NOT_OF_TENANTS))) if ((await countOn(api.pool, name)) !== 0) shown.push(name)
    expect(shown.filter((name) => !FOR_EVERYBODY.includes(name))).toEqual([])
  })

  it('that is published to one buyer or under an agreement is hidden without a scope too', async () => {
    expect(await countOn(api.pool, 'tenants', "side <> 'seller'")).toBe(0)
    expect(await countOn(api.pool, 'products', "reader <> '' or visibility = 'by_agreement'")).toBe(0)
    expect(await countOn(api.pool, 'seller_offers', "reader <> ''")).toBe(0)
    expect(await countOn(api.pool, 'priced_values', "agreement_id <> ''")).toBe(0)
    for (const table of ['rate_commits', 'rate_entries'])
      expect([table, await countOn(api.pool, table, 'visible_to is not null or agreement_id is not null')]).toEqual([table, 0])
  })
})

const CHANGES = [
  `update orders set status = 'placed'`,
  `update webhook_endpoints set url = 'https://forged.example'`,
  `update deliveries set status = 'dropped'`,
  `update holds set status = 'released'`,
  `update uploads set status = 'rejected'`,
  `update tenant_secrets set name = 'forged'`,
  `update seller_buyers set status = 'suspended'`,
  `update agreements set status = 'ended'`,
  `update products set updated_at = now()`,
  `update avails set updated_at = now()`,
  `update sellers set uses_api = true`,
  `update tenants set name = 'forged'`,
  `update credentials set revoked_at = now()`,
  `update avails_requests set note = 'forged'`,
  'delete from queue_deliveries',
  'delete from deliveries',
  'delete from rate_windows',
  'delete from drop_errors',
  `update drops set stuck_reason = 'forged'`,
  `update invoices set status = 'paid'`,
  'update invoice_counters set last = last + 1',
  'update reconciliations set revision = revision + 1',
  `update makegoods set status = 'declined'`,
  `update makegood_credits set invoice_id = null`,
]
describe('a forged statement', () => {
  it.each([
    'select * from orders',
    `select theirs.* from orders ours join orders theirs on theirs.buyer_entity <> ours.buyer_entity`,
    'with everything as (select e.* from order_events e) select * from everything',
    `select * from order_events where order_buyer = 'zenith' or order_buyer is null or order_seller = 'station'`,
    `select o.* from (values ('zenith')) as v (buyer) cross join lateral (select * from orders where buyer_entity = v.buyer) o`,
    `select * from orders where buyer_entity = 'acme' or true`,
    `select 1 from orders where 1 / (case buyer_entity when 'zenith' then 0 else 1 end) = 1`,
  ])('reads nothing of another tenant: %s', async (text) => {
    const { rows } = await api.as(['acme']).pool.query(text)
    expect(JSON.stringify(rows)).not.toMatch(/zenith|station/)
    expect(JSON.stringify(rows)).not.toContain(theirOrder)
  })

  it.each(CHANGES)('changes nothing of another tenant: %s', async (text) => {
    const changedBy = async (db: Database) => {
      const client = await db.pool.connect()
      try {
        await client.query('begin')
        return JSON.stringify((await client.query(`${text} returning *`)).rows)
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
    expect(await changedBy(market.deps.db)).toMatch(/zenith|station/)
    for (const stranger of ['acme', 'cable']) expect(await changedBy(api.as([stranger]))).not.toMatch(/zenith|station/)
    expect(await changedBy(api)).toBe('[]')
  })

  it.each<[string, () => string]>([
    [
      'an order',
      () =>
        `insert into orders select (o).* from (select jsonb_populate_record(o, '{"order_id":"ord_x","buyer_entity":"zenith","external_order_id":"x"}') as o from orders o) t`,
    ],
    [
      'an event',
      () =>
        `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
          values ('${theirOrder}', 'station', 'zenith', 99, 'cmd_x', 0, now(), '{}', '')`,
    ],
    [
      'an event of no order',
      () =>
        `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
          values ('ord_none', 'cable', 'acme', 1, 'cmd_x', 0, now(), '{}', '')`,
    ],
    [
      'an event of another tenant’s order, as if it were its own',
      () =>
        `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
          values ('${theirOrder}', 'cable', 'acme', 99, 'cmd_x', 0, now(), '{}', '')`,
    ],
    [
      'an event of its own order, to be seen by others',
      () =>
        `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
          values ('${ourOrder}', 'station', 'zenith', 99, 'cmd_x', 0, now(), '{}', '')`,
    ],
    [
      'an event of its own order, to be seen by another seller',
      () =>
        `insert into order_events (order_id, order_seller, order_buyer, seq, command_id, ordinal, occurred_at, body, hash)
          values ('${ourOrder}', 'station', 'acme', 99, 'cmd_x', 0, now(), '{}', '')`,
    ],
    ['an answer', () => `insert into order_outcomes (order_id, command_id, last_seq, outcome) values ('${theirOrder}', 'cmd_x', 1, '{}')`],
    [
      'a feed row',
      () => `insert into feed (tenant, event_type, order_id, seq) values ('zenith', 'order.status_changed', '${theirOrder}', 1)`,
    ],
    ['a notice', () => `insert into notices (event_id, tenant, body) values ('evt_x', 'station', '{}')`],
    ['a delivery', () => `insert into deliveries (endpoint_id, event_type) values ('whe_zenith', 'order.status_changed')`],
    [
      'an endpoint',
      () => `insert into webhook_endpoints (endpoint_id, tenant, url, secret) values ('whe_x', 'zenith', 'https://x.example', '')`,
    ],
    ['a secret', () => `insert into tenant_secrets (tenant, name, sealed) values ('station', 'pull', '')`],
    [
      'a credential',
      () =>
        `insert into credentials (credential_id, entity, side, token_sha256, last_four, scopes) values ('cred_x', 'acme', 'buyer', 'x', 'x', '{}')`,
    ],
    [
      'a session',
      () => `insert into sessions (session_sha256, credential_id, person, ends_at) values ('x', '${theirCredential}', 'x', now())`,
    ],
    [
      'a price',
      () =>
        `insert into avails (seller, product_id, grain, start, state, body) values ('station', 'news', 'week', '2030-W30', 'available', '{}')`,
    ],
    [
      'an agreement',
      () =>
        `insert into agreements (agreement_id, seller, buyer_entity, status, effective, body) values ('agr_x', 'station', 'acme', 'active', '[2030-01-01,2030-12-31]', '{}')`,
    ],
    [
      'an action on a variance',
      () =>
        `insert into variance_actions (order_id, variance_id, n, seller, buyer_entity, action, side, actor, code, network, air_date, broadcast_month, units, gross)
          values ('${theirOrder}', 'v', 2, 'station', 'zenith', 'accept', 'buyer', 'x', 'MISSED', 'N', '2030-06-03', '2030-06', 1, 1)`,
    ],
    [
      'an action of the other side',
      () =>
        `insert into variance_actions (order_id, variance_id, n, seller, buyer_entity, action, side, actor, code, network, air_date, broadcast_month, units, gross)
          values ('${theirOrder}', 'v', 2, 'station', 'acme', 'uphold', 'seller', 'x', 'MISSED', 'N', '2030-06-03', '2030-06', 1, 1)`,
    ],
    [
      'an answer to a makegood',
      () =>
        `insert into makegood_steps (makegood_id, n, order_id, seller, buyer_entity, action, side, actor, status, version, at)
          values ('mkg_zenith', 2, '${theirOrder}', 'station', 'zenith', 'accept', 'buyer', 'x', 'accepted', 1, now())`,
    ],
    [
      'an offer of the other side',
      () =>
        `insert into makegood_steps (makegood_id, n, order_id, seller, buyer_entity, action, side, actor, status, version, at)
          values ('mkg_zenith', 2, '${theirOrder}', 'station', 'acme', 'offer', 'seller', 'x', 'offered', 2, now())`,
    ],
    ['a tenant', () => `insert into tenants (entity, side, name) values ('mallory', 'seller', 'x')`],
    ['one of its own in another’s name', () => `update orders set buyer_entity = 'zenith', seller = 'station'`],
  ])('adds nothing of another tenant: %s', async (_, text) => {
    await expect(api.as(['acme']).pool.query(text())).rejects.toMatchObject({ code: '42501' })
  })

  it('is one statement: a second one is a syntax error', async () => {
    await expect(api.as(['acme']).pool.query('select 1; reset role')).rejects.toMatchObject({ code: '42601' })
  })
})

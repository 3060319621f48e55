import { type Kysely, sql } from 'kysely'

/**
 * Row security on every table of tenants, for the role that works in their name (migration 0060). What a transaction acts for is asked once for each
 * table of a statement, not for each row: hence the sub-selects.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTIONS).execute(db)
  for (const [table, policies] of Object.entries(POLICIES)) {
    const statements = [
      `alter table ${table} enable row level security`,
      `create policy platform on ${table} to marketplace_platform using (true) with check (true)`,
      ...Object.entries(policies).map(([command, rule]) => policyOf(table, command as Command, rule)),
    ]
    await sql.raw(statements.join(';\n')).execute(db)
  }
}

type Command = 'select' | 'insert' | 'update' | 'delete'

function policyOf(table: string, command: Command, rule: string): string {
  const check = command === 'insert' ? `with check (${rule})` : `using (${rule})`
  return `create policy tenant_${command} on ${table} for ${command} to marketplace_app ${check}`
}

/** A column that names a tenant in whose name the transaction is. */
const own = (column: string) => `${column} = any((select acting_tenants())::text[])`
/** The same for those that it deals with; true for everybody when it deals with everybody. */
const dealt = (column: string) => `(${column} = any((select dealt_tenants())::text[])) is not false`
const PARTY = 'array[seller, buyer_entity] && (select acting_tenants())'
/** Of an order that is shown: the policy of orders holds in here too. */
const ofOwnOrder = (table: string) => `exists (select from orders o where o.order_id = ${table}.order_id)`
const OF_NEW_OWN_ORDER = 'is_party(order_id, (select acting_tenants()))'
const underOwnAgreement = (table: string) => `exists (select from agreements a where a.agreement_id = ${table}.agreement_id)`
const ofAgreedSeller = `exists (select from agreements a where a.seller = products.seller and ${own('a.buyer_entity')})`
const ofDealtEndpoint = 'exists (select from webhook_endpoints w where w.endpoint_id = deliveries.endpoint_id)'
const ofOwnEndpoint = `exists (select from webhook_endpoints w where w.endpoint_id = deliveries.endpoint_id and ${own('w.tenant')})`

const FUNCTIONS = `
-- Volatile, so that it sees the order that the same statement has just made, as no subquery does.
create function is_party(wanted text, tenants text[]) returns boolean language plpgsql volatile security definer as $$
begin
  return exists (select from public.orders o where o.order_id operator(pg_catalog.=) wanted and array[o.seller, o.buyer_entity] operator(pg_catalog.&&) tenants);
end $$;
revoke execute on function is_party from public;
grant execute on function is_party to marketplace_app;
`

const whole = (rule: string) => ({ select: rule, insert: rule, update: rule, delete: rule })
const writtenBy = (column: string) => ({ insert: own(column), update: own(column), delete: own(column) })

const ORDER_LOG = ['order_records', 'order_events', 'earlier_event_hashes', 'order_outcomes', 'order_uploads']

const POLICIES: Readonly<Record<string, Partial<Record<Command, string>>>> = {
  // Who is on the market: sellers are listed to every buyer.
  tenants: { select: `side = 'seller' or ${dealt('entity')}`, update: own('entity') },
  sellers: { select: 'true', update: own('seller') },
  credentials: { select: own('entity') },
  tenant_secrets: { ...whole(own('tenant')), select: dealt('tenant') },

  // What sellers publish: to everybody, but for what is made for one buyer or priced under an agreement.
  products: {
    ...writtenBy('seller'),
    select: `(reader = '' and visibility <> 'by_agreement') or ${own('seller')}
      or ((reader = '' or ${own('reader')}) and (visibility <> 'by_agreement' or ${ofAgreedSeller}))`,
  },
  seller_offers: { ...writtenBy('seller'), select: `reader = '' or ${own('seller')} or ${own('reader')}` },
  avails: { ...writtenBy('seller'), select: 'true' },
  rate_commits: { ...writtenBy('seller'), select: scopedPrice('rate_commits') },
  rate_entries: { ...writtenBy('seller'), select: scopedPrice('rate_entries') },
  priced_values: { ...writtenBy('seller'), select: `agreement_id = '' or ${own('seller')} or ${underOwnAgreement('priced_values')}` },
  rate_windows: whole(own('seller')),

  // What lies between one seller and one buyer.
  agreements: { ...writtenBy('seller'), select: PARTY },
  seller_buyers: { ...writtenBy('seller'), select: PARTY },
  avails_requests: { select: PARTY, insert: own('buyer_entity'), update: PARTY },
  avails_disclosed: { select: PARTY, insert: own('seller') },
  ended_quotes: { select: PARTY, insert: PARTY },
  holds: { select: PARTY, insert: own('buyer_entity'), update: PARTY },
  orders: { select: PARTY, insert: own('buyer_entity'), update: PARTY },
  ...Object.fromEntries(ORDER_LOG.map((table) => [table, { select: ofOwnOrder(table), insert: OF_NEW_OWN_ORDER }])),
  remote_asks: {},

  // What one tenant keeps.
  approval_rule_days: whole(own('seller')),
  creatives: whole(own('buyer_entity')),
  uploads: whole(own('buyer_entity')),
  hold_keys: whole(own('buyer_entity')),
  document_readings: { select: 'exists (select from uploads u where u.upload_id = document_readings.upload_id)' },
  security_events: { select: own('entity'), insert: own('entity') },

  // Feeds, deliveries and audits: every tenant reads its own rows, no matter who wrote them.
  feed: { select: own('tenant'), insert: dealt('tenant') },
  notices: { select: own('tenant'), insert: dealt('tenant') },
  queue_deliveries: whole(own('tenant')),
  webhook_endpoints: { ...whole(own('tenant')), select: dealt('tenant') },
  deliveries: { select: ofDealtEndpoint, insert: ofDealtEndpoint, update: ofOwnEndpoint, delete: ofOwnEndpoint },
  // A tenant that changes something wakes a run; only the platform reads which.
  outbox: { insert: 'true' },
}

/** What everybody may see is said first: then nothing is asked about whose the transaction is. */
function scopedPrice(table: string): string {
  return `(visible_to is null and agreement_id is null) or ${own('seller')}
    or ((visible_to is null or ${own('visible_to')}) and (agreement_id is null or ${underOwnAgreement(table)}))`
}

import type pg from 'pg'
import type { Named } from '../access/access.ts'
import { accessWorld } from '../access/accessWorld.ts'
import { feedSettled } from '../engines/feedSettled.ts'
import { receiveMail } from '../mail/receiveMail.ts'
import type { Market } from '../market.ts'
import { aCard, anAgreement, anAvail, aRate } from '../orders/published.ts'
import { copyRows } from './copyRows.ts'

/** The rows that each list gets beside those that made them; a number of four digits, since text sorts it before one of three. */
export const ROWS = 1_100

/** Fills every list of acme, cable and the operators with 1,100 entries, of which most are copies of one that the product made. */
export async function fillLists(market: Market, owner: pg.Pool): Promise<Named> {
  const { named } = await accessWorld(market)
  await publishMany(market)
  await market.cable.put('/me/agreements/agr-2', anAgreement())
  await market.acme.get('/orders/nothing')
  await market.deps.refusedRequests.flush()
  await market.cable.put('/me/buyers/acme', { status: 'active', allowlisted: true })
  const client = await owner.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    await copyTenants(client)
    await copyOrders(client, named)
    await copyRecords(client, named)
    await client.query('commit')
  } finally {
    client.release()
  }
  await receiveMails(market, named, owner)
  await feedSettled(market.deps.db)
  return named
}

/** Days from 2030-01-01 on. */
const day = (n: number) => new Date(Date.UTC(2030, 0, 1 + n)).toISOString().slice(0, 10)

async function publishMany({ cable }: Market): Promise<void> {
  const days = Array.from({ length: ROWS }, (_, n) => anAvail('prime', { period: { grain: 'day', start: day(n) } }))
  const entries = ['one', 'two', 'three'].map((advertiser_class) => aRate('prime', { advertiser_class }))
  const card = aCard('long', entries, { effective: { start: day(0), end: day(7 * 380) } })
  for (const [path, body] of [['/me/avails', { avails: days }] as const, ['/me/rate-cards', card] as const]) {
    const { body: reply, text } = await cable.put(path, body)
    if (reply.rejected !== 0) throw new Error(text)
  }
}

/** The copy's id: the prefix of the kind, then the number in as many digits as make ids sort. */
const id = (prefix: string) => `'${prefix}' || lpad(copy::text, 26, '0')`

async function copyTenants(client: pg.ClientBase): Promise<void> {
  await client.query(
    `update sellers set profile = profile || '{"transports": {"pull": {"base_url": "https://cable.example"}}}' where seller = 'cable'`,
  )
  await copyRows(client, 'tenants', `entity = 'cable'`, { entity: `'seller-' || copy` }, ROWS)
  await copyRows(client, 'sellers', `seller = 'cable'`, { seller: `'seller-' || copy` }, ROWS)
  await copyRows(client, 'seller_buyers', 'true', { buyer_entity: `'buyer-' || copy` }, ROWS)
}

async function copyOrders(client: pg.ClientBase, { order, variance, makegood, mail, invoice }: Named): Promise<void> {
  const of = (orderId: string) => `order_id = '${orderId}'`
  const [reconciled] = variance.buyer
  await copyRows(
    client,
    'orders',
    of(order),
    {
      order_id: id('ord_'),
      external_order_id: `'copy-' || copy`,
      snapshot_head: `replace(s.snapshot_head, s.order_id, ${id('ord_')})`,
      // Not in the order of the ids, and several orders to a deadline.
      decide_by: `timestamptz '2026-01-01' + (copy * 7 % 300) * interval '1 hour'`,
      stuck_reason: `'seller_unreachable'`,
    },
    ROWS,
  )
  // Otherwise it would become stuck a minute after its create.
  await client.query(`update orders set stuck_reason = 'seller_unreachable' where status = 'submitted'`)
  const body = `jsonb_set(s.body::jsonb, '{seq}', to_jsonb(copy + 100))::text`
  await copyRows(client, 'order_events', of(order), { seq: 'copy + 100', command_id: `'cmd_' || copy`, body }, ROWS)
  for (const tenant of ['acme', 'cable'])
    await copyRows(client, 'feed', `tenant = '${tenant}' and ${of(order)}`, { seq: 'copy + 100', txid: 'feed_txid()' }, ROWS)
  await copyRows(client, 'edi_messages', `message_id = '${mail[1]}'`, { message_id: id('edi_'), seq: 'copy + 100' }, ROWS)
  const failed = { message_id: id('edi_f'), order_id: `'ord_of_failed_mails'`, seq: 'copy', status: `'failed'` }
  await copyRows(client, 'edi_messages', `message_id = '${mail[1]}'`, failed, ROWS)
  const unit = `replace(s.body::text, s.unit_id, 'unit-' || copy)::json`
  const line = { line: 'copy + 100', unit_id: `'unit-' || copy`, body: unit }
  await copyRows(client, 'reconciliation_lines', of(reconciled), line, ROWS)
  const changed = { order_id: id('ord_'), changed_txid: '(copy * 7 % 300)::text::xid8' }
  await copyRows(client, 'reconciliations', of(reconciled), changed, ROWS)
  await copyRows(client, 'makegoods', `makegood_id = '${makegood.buyer[1]}'`, { makegood_id: id('mkg_') }, ROWS)
  const billed = { invoice_id: id('inv_'), invoice_number: `'copy-' || copy`, n: 'copy + 100' }
  await copyRows(client, 'invoices', `invoice_id = '${invoice}'`, billed, ROWS)
}

async function copyRecords(client: pg.ClientBase, { hold, creative, endpoint, delivery, drop }: Named): Promise<void> {
  const agreement = { agreement_id: `'copy-' || copy`, body: `jsonb_set(s.body::jsonb, '{agreement_id}', to_jsonb('copy-' || copy))::json` }
  await copyRows(client, 'agreements', `agreement_id = 'agr-2'`, agreement, ROWS)
  await copyRows(client, 'holds', `hold_id = '${hold}'`, { hold_id: id('hold_') }, ROWS)
  await copyRows(client, 'creatives', `creative_id = '${creative}'`, { creative_id: id('crv_'), creative_code: `'copy-' || copy` }, ROWS)
  await copyRows(client, 'rate_commits', `commit = 'june'`, { commit: `'copy-' || copy` }, ROWS)
  const failing = { endpoint_id: id('whe_'), failing_since: 'now()' }
  await copyRows(client, 'webhook_endpoints', `endpoint_id = '${endpoint.buyer}'`, failing, ROWS)
  await copyRows(client, 'deliveries', `endpoint_id = '${delivery.buyer[0]}'`, {}, ROWS)
  await copyRows(client, 'deliveries', `endpoint_id = '${delivery.buyer[0]}'`, { endpoint_id: id('whe_'), status: `'pending'` }, ROWS)
  await copyRows(client, 'drops', `drop_id = '${drop}'`, { drop_id: `'copy-' || copy` }, ROWS)
  await copyRows(client, 'drop_mappings', `seller = 'cable' and name = 'traffic'`, { name: `'copy-' || copy` }, ROWS)
  const ended = {
    drop_id: `'ended-' || copy`,
    seller: `'station'`,
    status: `'partial'`,
    stage: `'ended'`,
    ended_at: 'now()',
    result: `'{}'`,
  }
  await copyRows(client, 'drops', `drop_id = '${drop}'`, ended, ROWS)
  for (const [entity, side] of [['acme', 'buyer'] as const, ['cable', 'seller'] as const, ['operations', 'operator'] as const]) {
    const act = { event_id: id(`sev_${side}`), entity: `'${entity}'`, side: `'${side}'` }
    await copyRows(client, 'security_events', 'true', act, ROWS)
  }
  await copyRows(client, 'refused_requests', `tenant = 'acme'`, { request_id: `'copy-' || copy` }, ROWS)
  const asked = `'avr_' || lpad(n::text, 26, '0'), 'cable', 'acme', 'prime', 'day', (date '2031-01-01' + n)::text`
  const columns = 'request_id, seller, buyer_entity, product_id, grain, start'
  await client.query(`insert into avails_requests (${columns}) select ${asked} from generate_series(1, ${ROWS}) n`)
}

/** Puts a mail for each of the order's messages into the sandbox's mailbox, the newest message first. */
async function receiveMails(market: Market, { order, mail }: Named, owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ message_id: string }>(
    'select message_id from edi_messages where order_id = $1 and message_id <> $2 order by message_id desc',
    [order, mail[1]],
  )
  for (const [n, { message_id }] of rows.entries()) await receiveMail(market, message_id, Date.UTC(2026, 0, 1) + n)
}

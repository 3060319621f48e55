import type { OPERATIONS } from '../../../src/contract/endpoints/groups.ts'
import type { Named } from '../access/access.ts'

type Tenant = 'acme' | 'cable' | 'operations'

/** One order of a list, and what a walk of it has to give. */
export interface Walk {
  readonly as: Tenant
  readonly path: (named: Named) => string
  /** Names each entry of a page. */
  // biome-ignore lint/suspicious/noExplicitAny: a body may be of any list
  readonly ids: (body: any) => unknown[]
  /** The same names in their order, as `id`: from SQL. */
  readonly sql: string | ((named: Named) => string)
  /** Where the next page starts, as a query parameter; undefined after the last page. By default it is `next_cursor` as `cursor`. */
  // biome-ignore lint/suspicious/noExplicitAny: a body may be of any list
  readonly next?: (body: any) => string | undefined
}

type Operation = keyof typeof OPERATIONS

const items =
  (...members: string[]): Walk['ids'] =>
  (body) =>
    body.items.map((item: Record<string, unknown>) => members.map((member) => item[member]).join(' '))
const one = (as: Tenant, path: string | Walk['path'], ids: Walk['ids'], sql: Walk['sql'], more: Partial<Walk> = {}): Walk => ({
  as,
  path: typeof path === 'string' ? () => path : path,
  ids,
  sql,
  ...more,
})

const ORDER_IDS: Walk['ids'] = ({ orders }) => orders.map(({ order_id }: { order_id: string }) => order_id)
const ENTRY_IDS: Walk['ids'] = ({ entries }) => entries.map(({ locked_rate_id }: { locked_rate_id: string }) => locked_rate_id)
const AVAIL_IDS: Walk['ids'] = ({ avails }) =>
  avails.map(({ product_id, period }: { product_id: string; period: { grain: string; start: string } }) =>
    [product_id, period.grain, period.start].join(' '),
  )
const RATE_IDS: Walk['ids'] = ({ rates }) => rates.map(({ locked_rate_id }: { locked_rate_id: string }) => locked_rate_id)
/** An id is the number in base 32. */
const DELIVERY_NOS: Walk['ids'] = ({ items: some }) =>
  some.map(({ delivery_id }: { delivery_id: string }) => String(Number.parseInt(delivery_id.slice('dlv_'.length), 32)))
const EVENT_IDS: Walk['ids'] = ({ events }) =>
  events.map(({ order_id, seq, event_id }: { order_id?: string; seq?: number; event_id?: string }) =>
    order_id === undefined ? event_id : `${order_id} ${seq}`,
  )

const AGREEMENTS = `select agreement_id as id from agreements where effective @> current_date order by agreement_id`
const HOLDS = 'select hold_id as id from holds h order by h.hold_id desc'
const ORDERS = 'select order_id as id from orders o order by o.order_id desc'
const queue = (rule: string) =>
  `select order_id as id from orders o where status = 'seller_review' and ${rule} order by o.decide_by, o.order_id`
const INVOICES = 'select invoice_id as id from invoices i order by i.invoice_id desc'
const OPEN_ORDERS = `select order_id as id from orders o where status in ('submitted', 'seller_review') order by o.order_id`
const mailsWhere = (rule: string, order: 'asc' | 'desc') =>
  `select message_id as id from edi_messages m where ${rule} order by m.message_id ${order}`
const dueMails = ({ order }: Named) => `select message_id as id from edi_messages m where order_id = '${order}' order by m.message_no desc`
const linesOf = ({ variance: { buyer } }: Named) =>
  `select concat_ws(' ', unit_id, network, air_date) as id from reconciliation_lines l where order_id = '${buyer[0]}' order by l.line`
const feedOf = (tenant: string) =>
  `select coalesce(order_id || ' ' || seq, event_id) as id from feed f where tenant = '${tenant}' order by f.txid, f.position`
const actsOf = (entity: string) => `select event_id as id from security_events e where entity = '${entity}' order by e.event_id desc`
const deliveriesOf = ({ endpoint: { buyer } }: Named) =>
  `select delivery_no::text as id from deliveries d where endpoint_id = '${buyer}' order by d.delivery_no desc`
const endpointsWhere = (rule: string) => `select endpoint_id as id from webhook_endpoints e where ${rule} order by e.endpoint_id`
const FAILING = `status <> 'deleted' and failing_since is not null`
const WAITING = `status <> 'deleted' and exists (select from deliveries d where d.endpoint_id = e.endpoint_id and d.status = 'pending')`
const CHANGES = 'select order_id as id from reconciliations r order by r.changed_txid, r.order_id'
const makegoodsWhere = (rule: string) => `select makegood_id as id from makegoods m where ${rule} order by m.makegood_id desc`
const makegoodsOf = ({ makegood: { buyer } }: Named) => makegoodsWhere(`order_id = '${buyer[0]}'`)
const runsWhere = (rule: string, order: 'asc' | 'desc') =>
  `select concat_ws(' ', seller, drop_id) as id from drops d where ${rule} order by d.registration ${order}`

const RECONCILIATION: Walk['ids'] = ({ lines }) =>
  lines.map(({ unit_id, network, air_date }: Record<string, string>) => [unit_id, network, air_date].join(' '))
const AFTER: Partial<Walk> = { next: ({ items: some, next_cursor }) => (some.length === 0 ? undefined : `after=${next_cursor}`) }
const FEED: Partial<Walk> = { next: ({ events, next_cursor }) => (events.length === 0 ? undefined : `after=${next_cursor}`) }
const REPLAY: Partial<Walk> = { next: ({ events }) => (events.length === 0 ? undefined : `after_seq=${events.at(-1).seq}`) }

/** Every list of the product, each in every order that it has. */
export const LISTS: Readonly<Partial<Record<Operation, readonly Walk[]>>> = {
  listRateCards: [
    one(
      'cable',
      '/me/rate-cards',
      items('commit'),
      `select commit as id from rate_commits c where seller = 'cable' order by c.commit_no desc`,
    ),
  ],
  getRateCard: [
    one(
      'cable',
      '/me/rate-cards/long',
      ENTRY_IDS,
      `select locked_rate_id as id from rate_entries e where commit = 'long' order by e.locked_rate_id`,
    ),
  ],
  diffRateCard: [
    one(
      'cable',
      '/me/rate-cards/long/diff',
      items('product_id', 'week', 'advertiser_class'),
      `select concat_ws(' ', product_id, week, advertiser_class) as id from rate_entries e where seller = 'cable' and commit in ('june', 'long')
        order by e.product_id, e.week, e.spot_length, e.market_class, e.advertiser_class`,
    ),
  ],
  getRates: [
    one(
      'cable',
      '/me/rates?product_id=prime&weeks=2030-W01..2037-W30',
      RATE_IDS,
      `select locked_rate_id as id from rate_entries e where commit = 'long' or (commit = 'june' and product_id = 'prime')
        order by e.week, e.spot_length, e.market_class, e.advertiser_class`,
    ),
  ],
  getOwnAvails: [
    one(
      'cable',
      '/me/avails',
      AVAIL_IDS,
      `select concat_ws(' ', product_id, grain, start) as id from avails where seller = 'cable' order by product_id, grain, start`,
    ),
  ],
  getAvails: [
    one(
      'acme',
      '/sellers/cable/avails',
      AVAIL_IDS,
      `select concat_ws(' ', product_id, grain, start) as id from (
        select product_id, grain, start from avails where seller = 'cable'
        union select product_id, 'week', week from rate_entries where seller = 'cable' and (product_id <> 'spring' or week <= '2030-W23')
      ) entries order by product_id, grain, start`,
    ),
  ],
  listAvailsRequests: [
    one('cable', '/me/avails/requests', items('request_id'), 'select request_id as id from avails_requests r order by r.request_id'),
  ],
  listSellers: [
    one(
      'acme',
      '/sellers',
      ({ sellers }) => sellers.map(({ seller }: { seller: string }) => seller),
      'select seller as id from sellers s order by s.seller',
    ),
  ],
  listDrops: [
    one('cable', '/me/files', items('drop_id'), `select drop_id as id from drops d where seller = 'cable' order by d.registration desc`),
  ],
  listMappings: [
    one(
      'cable',
      '/me/files/mappings',
      items('name'),
      `select name as id from drop_mappings m where seller = 'cable' and is_current order by m.name`,
    ),
  ],
  listAgreements: [one('acme', '/agreements', items('agreement_id'), AGREEMENTS)],
  listGrantedAgreements: [
    one('cable', '/me/agreements', items('agreement_id'), 'select agreement_id as id from agreements order by agreement_id'),
  ],
  listBuyers: [one('cable', '/me/buyers', items('buyer_entity'), 'select buyer_entity as id from seller_buyers b order by b.buyer_entity')],
  listCreatives: [one('acme', '/creatives', items('creative_id'), 'select creative_id as id from creatives c order by c.creative_id')],
  listHolds: [one('acme', '/holds', items('hold_id'), HOLDS)],
  listReceivedHolds: [one('cable', '/me/holds', items('hold_id'), HOLDS)],
  listOrders: [one('acme', '/orders', ORDER_IDS, ORDERS)],
  listReceivedOrders: [
    one('cable', '/me/orders', ORDER_IDS, ORDERS),
    one('cable', '/me/orders?status=seller_review', ORDER_IDS, queue('true')),
  ],
  listEdiMails: [one('acme', ({ order }) => `/orders/${order}/edi`, items('message_id'), dueMails)],
  listReceivedEdiMails: [one('cable', ({ order }) => `/me/orders/${order}/edi`, items('message_id'), dueMails)],
  listInvoices: [one('acme', '/settlement/invoices', items('invoice_id'), INVOICES)],
  listIssuedInvoices: [one('cable', '/me/settlement/invoices', items('invoice_id'), INVOICES)],
  getReconciliation: [one('acme', ({ variance: { buyer } }) => `/orders/${buyer[0]}/reconciliation`, RECONCILIATION, linesOf)],
  getReceivedReconciliation: [one('cable', ({ variance: { buyer } }) => `/me/orders/${buyer[0]}/reconciliation`, RECONCILIATION, linesOf)],
  listReconciledOrders: [one('acme', '/settlement/reconciliation', items('order_id'), CHANGES, AFTER)],
  listReceivedReconciledOrders: [one('cable', '/me/settlement/reconciliation', items('order_id'), CHANGES, AFTER)],
  listMakegoods: [one('acme', '/makegoods', items('makegood_id'), makegoodsWhere('true'))],
  listReceivedMakegoods: [one('cable', '/me/makegoods', items('makegood_id'), makegoodsWhere('true'))],
  listOrderMakegoods: [one('acme', ({ makegood: { buyer } }) => `/orders/${buyer[0]}/makegoods`, items('makegood_id'), makegoodsOf)],
  listReceivedOrderMakegoods: [
    one('cable', ({ makegood: { buyer } }) => `/me/orders/${buyer[0]}/makegoods`, items('makegood_id'), makegoodsOf),
  ],
  listWebhookEndpoints: [
    one('acme', '/webhooks/endpoints', items('endpoint_id'), endpointsWhere(`tenant = 'acme' and status <> 'deleted'`)),
  ],
  listDeliveries: [one('acme', ({ endpoint }) => `/webhooks/endpoints/${endpoint.buyer}/deliveries`, DELIVERY_NOS, deliveriesOf)],
  replayEvents: [
    one(
      'acme',
      ({ order }) => `/events?order=${order}`,
      EVENT_IDS,
      ({ order }) => `select order_id || ' ' || seq as id from order_events e where order_id = '${order}' order by e.seq`,
      REPLAY,
    ),
  ],
  readFeed: [one('acme', '/events/feed', EVENT_IDS, feedOf('acme'), FEED), one('cable', '/events/feed', EVENT_IDS, feedOf('cable'), FEED)],
  listSandboxMails: [
    one(
      'acme',
      '/sandbox/mail',
      items('message_id'),
      ({ order, mail }) =>
        `select message_id as id from edi_messages where order_id = '${order}' order by message_id = '${mail[1]}' desc, message_id`,
    ),
  ],
  listRefusedRequests: [
    one(
      'acme',
      '/requests',
      items('request_id'),
      `select request_id as id from refused_requests r where tenant = 'acme' order by r.refused_no desc`,
    ),
  ],
  listAudit: [one('acme', '/audit', items('event_id'), actsOf('acme'))],
  listOwnAudit: [one('cable', '/me/audit', items('event_id'), actsOf('cable'))],
  listOpsOrders: [
    one('operations', '/ops/orders?state=open', items('order_id'), OPEN_ORDERS),
    one(
      'operations',
      '/ops/orders?state=stuck',
      items('order_id'),
      'select order_id as id from orders o where stuck_reason is not null order by o.order_id',
    ),
    one('operations', '/ops/orders?state=overdue', items('order_id'), queue('decide_by < now()')),
  ],
  listOpsDeliveries: [
    one('operations', '/ops/deliveries', items('endpoint_id'), endpointsWhere(`(${FAILING}) or (${WAITING})`)),
    one('operations', '/ops/deliveries?state=failing', items('endpoint_id'), endpointsWhere(FAILING)),
    one('operations', '/ops/deliveries?state=waiting', items('endpoint_id'), endpointsWhere(WAITING)),
  ],
  listEndpointDeliveries: [one('operations', ({ endpoint }) => `/ops/deliveries/${endpoint.buyer}`, DELIVERY_NOS, deliveriesOf)],
  listOpsDrops: [
    one('operations', '/ops/drops', items('seller', 'drop_id'), runsWhere('true', 'desc')),
    one('operations', '/ops/drops?state=processing', items('seller', 'drop_id'), runsWhere(`status = 'processing'`, 'asc')),
    one('operations', '/ops/drops?state=faulty', items('seller', 'drop_id'), runsWhere(`status in ('partial', 'rejected')`, 'desc')),
  ],
  listOpsMails: [
    one('operations', '/ops/mails', items('message_id'), mailsWhere(`status = 'queued'`, 'asc')),
    one('operations', '/ops/mails?state=failed', items('message_id'), mailsWhere(`status in ('failed', 'bounced')`, 'desc')),
  ],
  listOpsConnections: [
    one(
      'operations',
      '/ops/connections',
      items('seller'),
      `select seller as id from sellers s where seller <> 'station' order by s.seller`,
    ),
  ],
  listOpsAudit: [one('operations', '/ops/audit', items('event_id'), actsOf('operations'))],
}

import type { CredentialSide, Scope, Side } from '../../../src/contract/vocabulary/access.ts'
import { A_MAPPING } from '../drops/mappings.ts'

/** The callers that an endpoint of the table must let in, repeated here on purpose, so that nobody changes the table by accident. */
export interface AccessRow {
  readonly side: CredentialSide | 'any' | 'everybody'
  /** Null if no scope is needed. */
  readonly scope: Scope | null
  /** Scopes that the credential also needs for the data that the call gives access to, in the order of their checks. */
  readonly with?: readonly Scope[]
  /** The status of the reply to its owner. */
  readonly status: number
  /** The kind of thing that the path or the query names, if any; the caller's own one is in `Named`. */
  readonly names?: keyof Named
  /** Whether strangers of the side may name it too, and the status for an unknown name if that is not 404. */
  readonly shared?: true
  readonly unknown?: number
  readonly query?: (named: string) => string
  readonly body?: unknown
}

/** The things that the owners of the matrix own. */
export interface Named {
  order: string
  /** A mail of an order whose document is not made yet. */
  mail: readonly [order: string, mail: string]
  /** A mail of the order in the sandbox's mailbox. */
  sandboxMail: string
  /** An order that its seller has asked the sandbox's buyer for. */
  demanded: string
  /** An order that is already canceled, so that canceling it again succeeds and changes nothing. */
  canceled: string
  agreement: string
  creative: string
  /** A hold that is already released. */
  hold: string
  secret: string
  /** An upload that already has its bytes, so that another PUT is refused and changes nothing. */
  upload: string
  /** The same of a seller. */
  sellerUpload: string
  /** An upload that an order names. */
  attachment: readonly [order: string, upload: string]
  /** An invoice that is already paid, so that marking it again changes nothing. */
  invoice: string
  /** One variance per side, on which that side has already acted, so that acting the same way again changes nothing. */
  variance: Readonly<Record<Side, readonly [order: string, variance: string]>>
  /** One makegood per side, which that side has ended, so that doing the same again changes nothing. */
  makegood: Readonly<Record<Side, readonly [order: string, makegood: string]>>
  commit: string
  drop: string
  /** A mapping of the owner; one of each seller; and a name that nobody uses. */
  mapping: string
  everyonesMapping: string
  noMapping: string
  seller: string
  buyer: string
  /** Webhook endpoints of the two owners: an active one, a deleted one, and one with a delivery. */
  endpoint: Readonly<Record<Side, string>>
  deletedEndpoint: Readonly<Record<Side, string>>
  delivery: Readonly<Record<Side, readonly [endpoint: string, delivery: string]>>
}

const effective = { start: '2030-01-01', end: '2030-12-31' }
const buyer = (scope: Scope, status: number, more: Partial<AccessRow> = {}): AccessRow => ({ side: 'buyer', scope, status, ...more })
const seller = (scope: Scope, status: number, more: Partial<AccessRow> = {}): AccessRow => ({ side: 'seller', scope, status, ...more })
const any = (scope: Scope, status: number, more: Partial<AccessRow> = {}): AccessRow => ({ side: 'any', scope, status, ...more })

/** Operators can see the data of any tenant. */
const operator = (scope: Scope, status: number, more: Partial<AccessRow> = {}): AccessRow => ({ side: 'operator', scope, status, ...more })

/** Units that no order has: a notice of them is refused for its order first. */
const A_NOTICE = { for: [{ unit_id: 'unit_none', date: '2030-06-03', units: 1, reason_code: 'preempted' }] }

const A_PLAN = {
  line_items: [
    {
      product_id: 'prime',
      period: { grain: 'week', start: '2030-W23' },
      units: 1,
      spot_length: 30,
      rate: {
        market_class: 'scatter',
        advertiser_class: 'general',
        buy_type: 'preemptible',
        unit_cost: 1,
        locked_rate_id: 'lr_x',
        currency: 'USD',
      },
    },
  ],
  plan_totals: {},
  expires_at: '2030-01-01T00:00:00Z',
}

/** The access rows by method and path. Bodies are valid, or refused for their content and not for their sender (422). */
export const ACCESS: Readonly<Record<string, AccessRow>> = {
  'post /orders': buyer('orders:write', 422, { body: {} }),
  'post /orders/preview': buyer('orders:write', 422, { body: {} }),
  'get /orders': buyer('orders:read', 200),
  'get /orders/counts': buyer('orders:read', 200),
  'get /orders/:order_id': buyer('orders:read', 200, { names: 'order' }),
  'get /orders/:order_id/audit': buyer('orders:read', 200, { names: 'order' }),
  'post /orders/:order_id/confirm': buyer('orders:write', 409, { names: 'order', body: { action: 'confirm', actor: 'Bo' } }),
  'post /orders/:order_id/cancel': buyer('orders:write', 202, { names: 'canceled', body: {} }),
  'post /orders/:order_id/respond': buyer('orders:write', 409, { names: 'order', body: { action: 'accept' } }),
  'get /me/orders': seller('orders:read', 200),
  'get /me/orders/counts': seller('orders:read', 200),
  'get /me/orders/:order_id': seller('orders:read', 200, { names: 'order' }),
  'get /me/orders/:order_id/audit': seller('orders:read', 200, { names: 'order' }),
  'post /me/orders/:order_id/decide': seller('orders:approve', 422, { names: 'order', body: { decision: 'counter', actor: 'Ada' } }),
  'post /me/orders/:order_id/plan': seller('orders:approve', 409, { names: 'order', body: A_PLAN }),
  'get /orders/:order_id/edi': buyer('orders:read', 200, { names: 'order' }),
  'post /orders/:order_id/edi': buyer('orders:write', 409, { names: 'order', body: {} }),
  'get /orders/:order_id/edi/:message_id/document': buyer('orders:read', 409, { names: 'mail' }),
  'get /me/orders/:order_id/edi': seller('orders:read', 200, { names: 'order' }),
  'post /me/orders/:order_id/edi': seller('orders:approve', 409, { names: 'order', body: {} }),
  'get /me/orders/:order_id/edi/:message_id/document': seller('orders:read', 409, { names: 'mail' }),
  'get /sandbox/mail': any('orders:read', 200),
  'get /sandbox/mail/:mail_id': any('orders:read', 200, { names: 'sandboxMail' }),
  'get /credential': { side: 'everybody', scope: null, status: 200 },
  'get /requests': any('audit:read', 200),
  'post /sandbox/tenants': any('orders:read', 422, { body: {} }),
  'post /sandbox/orders': seller('orders:approve', 409, { body: {} }),
  'get /sandbox/orders/:external_order_id': seller('orders:read', 200, { names: 'demanded' }),
  'post /sandbox/holds/:hold_id/elapse': buyer('orders:write', 409, { names: 'hold' }),
  'post /sandbox/orders/:order_id/elapse': any('orders:read', 409, { names: 'order', body: { what: 'plan' } }),
  'get /events': { side: 'any', scope: 'orders:read', status: 200, names: 'order', query: (order) => `?order=${order}` },
  'get /events/feed': { side: 'any', scope: 'orders:read', status: 200 },
  'get /search': { side: 'any', scope: 'orders:read', status: 200, query: () => '?q=prime' },

  'post /webhooks/endpoints': any('webhooks:write', 422, { body: {} }),
  'get /webhooks/endpoints': any('webhooks:write', 200),
  'patch /webhooks/endpoints/:endpoint_id': any('webhooks:write', 200, {
    names: 'endpoint',
    with: ['orders:read', 'catalog:read', 'settlement:read'],
    body: { statuses: null },
  }),
  'get /webhooks/endpoints/:endpoint_id': any('webhooks:write', 200, { names: 'endpoint' }),
  'delete /webhooks/endpoints/:endpoint_id': any('webhooks:write', 204, { names: 'deletedEndpoint' }),
  'post /webhooks/endpoints/:endpoint_id/enable': any('webhooks:write', 200, {
    names: 'endpoint',
    with: ['orders:read', 'catalog:read', 'settlement:read'],
  }),
  'post /webhooks/endpoints/:endpoint_id/rotate-secret': any('webhooks:write', 200, { names: 'endpoint' }),
  'post /webhooks/endpoints/:endpoint_id/test': any('webhooks:write', 202, { names: 'endpoint' }),
  'get /webhooks/endpoints/:endpoint_id/deliveries': any('webhooks:write', 200, { names: 'endpoint' }),
  'post /webhooks/endpoints/:endpoint_id/deliveries/:delivery_id/redeliver': any('webhooks:write', 202, { names: 'delivery' }),
  'post /webhooks/endpoints/:endpoint_id/redeliver': any('webhooks:write', 202, {
    names: 'endpoint',
    body: { from: '2030-01-01T00:00:00Z' },
  }),

  'get /events/queue': any('webhooks:write', 404),
  'put /events/queue': any('webhooks:write', 422, { body: { events: [] } }),
  'delete /events/queue': any('webhooks:write', 404),

  'get /sellers': buyer('catalog:read', 200),
  'get /sellers/:seller/catalog': buyer('catalog:read', 200, { names: 'seller', shared: true }),
  'get /sellers/:seller/avails': buyer('catalog:read', 200, { names: 'seller', shared: true }),
  'post /sellers/:seller/avails/requests': buyer('orders:write', 422, {
    names: 'seller',
    shared: true,
    body: { product_id: 'nothing', period: { grain: 'week', start: '2030-W23' } },
  }),
  'put /me/catalog': seller('catalog:write', 422, { body: { taxonomy_version: 'tax-1', products: [] } }),
  'get /me/catalog': seller('catalog:read', 200),
  'put /me/rate-cards': seller('catalog:write', 422, { body: { commit: 'july', effective, entries: [] } }),
  'get /me/rate-cards': seller('catalog:read', 200),
  'get /me/rate-cards/:commit': seller('catalog:read', 200, { names: 'commit' }),
  'get /me/rate-cards/:commit/diff': seller('catalog:read', 200, { names: 'commit' }),
  'get /me/rates': seller('catalog:read', 200, { query: () => '?product_id=prime&weeks=2030-W23' }),
  'put /me/avails': seller('catalog:write', 422, { body: { avails: [] } }),
  'get /me/avails': seller('catalog:read', 200),
  'get /me/avails/requests': seller('catalog:read', 200),

  'post /me/files/manifest': seller('catalog:write', 422, { body: {} }),
  'put /me/files/:drop_id/:filename': seller('catalog:write', 201, { names: 'drop', shared: true, unknown: 201 }),
  'get /me/files': seller('catalog:read', 200),
  'get /me/files/:drop_id': seller('catalog:read', 200, { names: 'drop' }),
  'get /me/files/mappings': seller('catalog:read', 200),
  'get /me/files/mappings/:name': seller('catalog:read', 200, { names: 'mapping' }),
  'put /me/files/mappings/:name': seller('catalog:write', 200, { names: 'everyonesMapping', shared: true, unknown: 201, body: A_MAPPING }),
  'delete /me/files/mappings/:name': seller('catalog:write', 204, { names: 'noMapping', shared: true, unknown: 204 }),

  'get /agreements': buyer('catalog:read', 200),
  'get /agreements/:agreement_id/pacing': buyer('settlement:read', 200, { names: 'agreement' }),
  'get /settlement/credit': buyer('settlement:read', 200, { names: 'agreement', query: (agreement) => `?agreement=${agreement}` }),
  'get /settlement/invoices': buyer('settlement:read', 200),
  'get /settlement/invoices/:invoice_id': buyer('settlement:read', 200, { names: 'invoice' }),
  'get /orders/:order_id/reconciliation': buyer('settlement:read', 200, { names: 'order' }),
  'post /orders/:order_id/reconciliation/variances/:variance_id': buyer('orders:write', 200, {
    names: 'variance',
    body: { action: 'accept' },
  }),
  'get /settlement/reconciliation': buyer('settlement:read', 200),
  'get /me/orders/:order_id/reconciliation': seller('settlement:read', 200, { names: 'order' }),
  'post /me/orders/:order_id/reconciliation/variances/:variance_id': seller('orders:approve', 200, {
    names: 'variance',
    body: { action: 'uphold' },
  }),
  'get /me/settlement/reconciliation': seller('settlement:read', 200),
  'get /makegoods': buyer('orders:read', 200),
  'get /orders/:order_id/makegoods': buyer('orders:read', 200, { names: 'order' }),
  'get /orders/:order_id/makegoods/:makegood_id': buyer('orders:read', 200, { names: 'makegood' }),
  'post /orders/:order_id/makegoods/:makegood_id': buyer('orders:write', 200, {
    names: 'makegood',
    body: { action: 'decline', version: 1 },
  }),
  'get /me/makegoods': seller('orders:read', 200),
  'get /me/orders/:order_id/makegoods': seller('orders:read', 200, { names: 'order' }),
  'post /me/orders/:order_id/makegoods': seller('orders:approve', 409, { names: 'order', body: A_NOTICE }),
  'get /me/orders/:order_id/makegoods/:makegood_id': seller('orders:read', 200, { names: 'makegood' }),
  'post /me/orders/:order_id/makegoods/:makegood_id': seller('orders:approve', 200, { names: 'makegood', body: { action: 'recall' } }),
  'get /me/settlement/invoices': seller('settlement:read', 200),
  'get /me/settlement/invoices/:invoice_id': seller('settlement:read', 200, { names: 'invoice' }),
  'post /me/settlement/invoices/:invoice_id/paid': seller('settlement:write', 200, { names: 'invoice', body: {} }),
  'post /sandbox/settlement': seller('settlement:write', 202, { body: { as_of: '2030-01-01T00:00:00Z' } }),
  'get /me/agreements/:agreement_id/pacing': seller('settlement:read', 200, { names: 'agreement' }),
  'get /me/agreements/:agreement_id/credit': seller('settlement:read', 200, { names: 'agreement' }),
  'get /me/agreements': seller('catalog:read', 200),
  'get /me/agreements/:agreement_id': seller('catalog:read', 200, { names: 'agreement' }),
  'put /me/agreements/:agreement_id': seller('catalog:write', 200, {
    names: 'agreement',
    unknown: 201,
    body: { buyer_entity: 'acme', effective },
  }),
  'get /me/buyers': seller('catalog:read', 200),
  'get /me/buyers/:buyer_entity': seller('catalog:read', 200, { names: 'buyer', shared: true, unknown: 200 }),
  'put /me/buyers/:buyer_entity': seller('catalog:write', 200, { names: 'buyer', shared: true, unknown: 200, body: {} }),
  'get /me/capabilities': seller('catalog:read', 200),
  'put /me/capabilities': seller('orders:approve', 200, { body: {} }),

  'get /me/approval-rules': seller('orders:read', 200),
  'put /me/approval-rules': seller('orders:approve', 200, { body: { rules: [] } }),
  'put /me/secrets/:name': seller('orders:approve', 200, { names: 'secret', shared: true, unknown: 200, body: { value: 'of the seller' } }),

  'get /audit': buyer('audit:read', 200),
  'get /me/audit': seller('audit:read', 200),

  'get /ops/health': operator('ops:read', 200),
  'get /ops/orders': operator('ops:read', 200),
  'get /ops/orders/:order_id': operator('ops:read', 200, { names: 'order', shared: true }),
  'post /ops/orders/:order_id/wake': operator('ops:write', 202, { names: 'order', shared: true }),
  'get /ops/deliveries': operator('ops:read', 200),
  'get /ops/deliveries/:endpoint_id': operator('ops:read', 200, { names: 'endpoint', shared: true }),
  'post /ops/deliveries/:endpoint_id/:delivery_id/resend': operator('ops:write', 202, { names: 'delivery', shared: true }),
  'get /ops/drops': operator('ops:read', 200),
  'get /ops/mails': operator('ops:read', 200),
  'get /ops/connections': operator('ops:read', 200),
  'get /ops/audit': operator('audit:read', 200),

  'post /holds': buyer('orders:write', 422, { body: {} }),
  'get /holds': buyer('orders:read', 200),
  'get /me/holds': seller('orders:read', 200),
  'get /holds/:hold_id': buyer('orders:read', 200, { names: 'hold' }),
  'delete /holds/:hold_id': buyer('orders:write', 200, { names: 'hold' }),

  'get /creatives': buyer('orders:read', 200),
  'post /creatives': buyer('orders:write', 422, { body: {} }),
  'post /creatives/:creative_id/archive': buyer('orders:write', 200, { names: 'creative' }),

  'post /uploads': buyer('orders:write', 422, { body: {} }),
  'get /uploads/:upload_id': buyer('orders:read', 200, { names: 'upload' }),
  'get /uploads/:upload_id/content': buyer('orders:read', 200, { names: 'upload' }),
  'get /uploads/:upload_id/pages': buyer('orders:read', 409, { names: 'upload' }),
  'get /me/orders/:order_id/attachments/:upload_id': seller('orders:read', 200, { names: 'attachment' }),
  'get /orders/:order_id/attachments/:upload_id': buyer('orders:read', 200, { names: 'attachment' }),
  'post /me/uploads': seller('orders:approve', 422, { body: {} }),
  'get /me/uploads/:upload_id': seller('orders:read', 200, { names: 'sellerUpload' }),
  'put /me/uploads/:upload_id/content': seller('orders:approve', 409, { names: 'sellerUpload' }),
  'put /uploads/:upload_id/content': buyer('orders:write', 409, { names: 'upload' }),
}

import { CancelOrder, CancelReply } from '../cancelOrder.ts'
import { ConfirmOrder, ConfirmPreview, ConfirmReply } from '../confirmOrder.ts'
import { CreateOrder, IGNORED_MEMBERS, OrderCreated } from '../createOrder.ts'
import { DecideOrder, DecidePreview, DecideReply } from '../decideOrder.ts'
import { DryRunQuery } from '../dryRun.ts'
import { OrderCounts, OrderList, OrderPreview, OrderSnapshot } from '../order.ts'
import { OrderAudit } from '../orderAudit.ts'
import { AuditQuery, IfMatch, OrderListQuery, OrderQuery } from '../orderQueries.ts'
import { PlanOrder, PlanReply } from '../planOrder.ts'
import { RespondOrder, RespondReply } from '../respondOrder.ts'
import { LINE_ERRORS } from '../vocabulary/codes.ts'
import { DOWNLOAD, endpoint, named } from './endpoint.ts'

/** Orders, for both sides. */
export const ORDERS = named({
  createOrder: endpoint({
    method: 'post',
    path: '/orders',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Place an order',
    description:
      'Creates an order with one seller by lines, by a request for proposal or by a document, and returns at once with status ' +
      'submitted. It does not wait for validation or for the seller: both follow as order.status_changed events. external_order_id ' +
      'is the idempotency key: the same bytes replay the stored reply, other bytes are 409 CONFLICT. A refused create and a dry run leave ' +
      'nothing behind: the one lists every fault, the other replies 200 as POST /orders/preview does.',
    body: CreateOrder,
    ignored: IGNORED_MEMBERS,
    tenant: 'buyer_entity',
    rate: 'orders',
    query: DryRunQuery,
    replies: { 200: OrderPreview, 201: OrderCreated },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    errors: ['TENANT_MISMATCH', 'CONFLICT', ...LINE_ERRORS, 'CREDIT_LIMIT'],
  }),
  listOrders: endpoint({
    method: 'get',
    path: '/orders',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'List your orders',
    description:
      "Returns the buyer's orders, newest first, without lines and artifacts. Filters combine; a page that had to pass over many orders may " +
      'end early, even empty, and its cursor continues.',
    query: OrderListQuery,
    replies: { 200: OrderList },
  }),
  getOrder: endpoint({
    method: 'get',
    path: '/orders/:order_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Get an order',
    description:
      "Returns the authoritative snapshot of one of the buyer's orders, projected from its event log. With at_seq it returns the " +
      'order as it was after that event. The ETag can be sent as If-Match with a command.',
    query: OrderQuery,
    replies: { 200: OrderSnapshot },
    replyHeaders: { 200: ['ETag'] },
  }),
  getOrderAudit: endpoint({
    method: 'get',
    path: '/orders/:order_id/audit',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Get the audit record of an order',
    description:
      'Returns the create request, the create-time facts and the events of an order as the platform hashed them, so that anyone can ' +
      'verify the record offline. Long records are read page by page with after_seq.',
    query: AuditQuery,
    replies: { 200: OrderAudit },
    errors: ['NOT_FOUND'],
  }),
  // Declared after the path whose parameter would match it, since later rows are matched first.
  previewOrder: endpoint({
    method: 'post',
    path: '/orders/preview',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Preview an order',
    description:
      'Checks a create body as POST /orders does and returns totals, lines and warnings, or lists every fault; an external_order_id that ' +
      'another order has is a CONFLICT, as in a create. Nothing is written: no order exists afterwards, no external_order_id is used up and ' +
      'no event follows.',
    body: CreateOrder,
    ignored: IGNORED_MEMBERS,
    tenant: 'buyer_entity',
    rate: 'previews',
    replies: { 200: OrderPreview },
    errors: ['TENANT_MISMATCH', 'CONFLICT', ...LINE_ERRORS, 'CREDIT_LIMIT'],
  }),
  countOrders: endpoint({
    method: 'get',
    path: '/orders/counts',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Count your open orders',
    description:
      "Returns how many of the buyer's open orders are in each status, how many wait for each party and how many are overdue. Orders that " +
      'are placed, canceled, rejected or failed are not counted.',
    replies: { 200: OrderCounts },
  }),
  confirmOrder: endpoint({
    method: 'post',
    path: '/orders/:order_id/confirm',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Confirm or reject an order',
    description:
      'Answers an order in needs_confirmation: confirms the plan of a proposal or the parsed lines of a document, or rejects it ' +
      "with a reason. It does not place the order: the seller's review follows. An exact repeat returns the stored outcome; a dry run " +
      'replies 200 with the lines that it would book. ' +
      'order.status_changed events follow to both sides.',
    body: ConfirmOrder,
    query: DryRunQuery,
    replies: { 200: ConfirmPreview, 202: ConfirmReply },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    errors: ['CONFLICT', 'INVALID_STATE', 'STALE_RATE_CARD', ...LINE_ERRORS, 'CREDIT_LIMIT'],
    headers: IfMatch,
  }),
  cancelOrder: endpoint({
    method: 'post',
    path: '/orders/:order_id/cancel',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Cancel an order',
    description:
      'Cancels an order, a placed one included, and returns the cancellation block with its late_notice verdict. Canceling twice ' +
      'returns the first cancellation and changes nothing. It collects no fee: the block only states one. An order.status_changed ' +
      'event follows to both sides.',
    body: CancelOrder,
    query: DryRunQuery,
    replies: { 200: CancelReply, 202: CancelReply },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    errors: ['INVALID_STATE'],
    headers: IfMatch,
  }),
  respondOrder: endpoint({
    method: 'post',
    path: '/orders/:order_id/respond',
    side: 'buyer',
    scope: 'orders:write',
    summary: "Answer the seller's counters",
    description:
      'Accepts every open counter of an order in negotiating, which places the order, or withdraws the order. Counters cannot be ' +
      'accepted one by one, and the buyer cannot counter back. Repeating the same action returns the stored outcome. An ' +
      'order.status_changed event follows to both sides.',
    body: RespondOrder,
    replies: { 202: RespondReply },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    errors: ['INVALID_STATE', 'STALE_RATE_CARD'],
    headers: IfMatch,
  }),
  listReceivedOrders: endpoint({
    method: 'get',
    path: '/me/orders',
    side: 'seller',
    scope: 'orders:read',
    summary: 'List the orders you received',
    description:
      "Returns the seller's orders, newest first, without lines and artifacts. With status=seller_review alone it is the approval " +
      'queue, ordered by decision deadline. Filters combine; a page that had to pass over many orders may end early, even empty, and its ' +
      'cursor continues.',
    query: OrderListQuery,
    replies: { 200: OrderList },
  }),
  getReceivedOrder: endpoint({
    method: 'get',
    path: '/me/orders/:order_id',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Get an order you received',
    description:
      "Returns the authoritative snapshot of one order with the buyer's context, projected from its event log. With at_seq it " +
      'returns the order as it was after that event. The ETag can be sent as If-Match with a command.',
    query: OrderQuery,
    replies: { 200: OrderSnapshot },
    replyHeaders: { 200: ['ETag'] },
  }),
  countReceivedOrders: endpoint({
    method: 'get',
    path: '/me/orders/counts',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Count the open orders you received',
    description:
      "Returns how many of the seller's open orders are in each status, how many wait for each party and how many are overdue. Orders that " +
      'are placed, canceled, rejected or failed are not counted.',
    replies: { 200: OrderCounts },
  }),
  getReceivedOrderAudit: endpoint({
    method: 'get',
    path: '/me/orders/:order_id/audit',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Get the audit record of an order you received',
    description:
      'Returns the create request, the create-time facts and the events of an order as the platform hashed them, so that anyone can ' +
      'verify the record offline. The reply and the notify endpoint of the buyer appear only as hashes.',
    query: AuditQuery,
    replies: { 200: OrderAudit },
    errors: ['NOT_FOUND'],
  }),
  getAttachment: endpoint({
    method: 'get',
    path: '/me/orders/:order_id/attachments/:upload_id',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Download an attachment of an order',
    description:
      'Returns the bytes of a file that the buyer attached to an order, or ordered by, as a file to be saved. attachments and document ' +
      'of the order name its files, and upload_id of a makegood its notice.',
    ...DOWNLOAD,
  }),
  decideOrder: endpoint({
    method: 'post',
    path: '/me/orders/:order_id/decide',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Decide an order',
    description:
      'Approves, rejects or counters an order in seller_review or negotiating, as a whole or line by line. An approval places the ' +
      'order and issues its placement receipt; a counter makes a quote for this buyer and waits for its answer. An exact repeat returns the stored ' +
      'outcome. An order.status_changed event with the decision record follows to both sides.',
    body: DecideOrder,
    query: DryRunQuery,
    replies: { 200: DecidePreview, 202: DecideReply },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    errors: ['INVALID_STATE', 'CREDIT_LIMIT'],
    headers: IfMatch,
  }),
  planOrder: endpoint({
    method: 'post',
    path: '/me/orders/:order_id/plan',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Post a plan for a proposal',
    description:
      'Answers a proposal order with a plan, which replaces the plan before it. It books nothing: the buyer confirms the plan, or ' +
      'its acceptance band does. The same plan_id with the same bytes replays the first reply; with other bytes it is 409 CONFLICT. ' +
      'An order.status_changed event with the plan follows to both sides.',
    body: PlanOrder,
    replies: { 202: PlanReply },
    replyHeaders: { 202: ['X-Idempotent-Replay'] },
    errors: ['CONFLICT', 'INVALID_STATE', ...LINE_ERRORS, 'DUPLICATE_EXTERNAL_REF'],
    headers: IfMatch,
  }),
})

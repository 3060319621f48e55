import { CancelOrder, CancelReply } from '../src/contract/cancelOrder.ts'
import { ConfirmOrder, ConfirmReply } from '../src/contract/confirmOrder.ts'
import { CreateOrder, IGNORED_MEMBERS, OrderCreated } from '../src/contract/createOrder.ts'
import { DecideOrder, DecideReply } from '../src/contract/decideOrder.ts'
import { OrderList, OrderPreview, OrderSnapshot } from '../src/contract/order.ts'
import { OrderAudit } from '../src/contract/orderAudit.ts'
import { PlanReply, PostPlan } from '../src/contract/postPlan.ts'
import { RespondOrder, RespondReply } from '../src/contract/respondOrder.ts'
import { LINE_ERRORS } from '../src/contract/vocabulary.ts'
import { cancelOrder } from './buyer/cancelOrder.ts'
import { confirmOrder } from './buyer/confirmOrder.ts'
import { CreateOrderQuery, createOrder, reviewCreate } from './buyer/createOrder.ts'
import { respondOrder } from './buyer/respondOrder.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { AuditQuery, getAudit, getOrder, getOrders, OrderListQuery, OrderQuery } from './orderReads.ts'
import { decideOrder } from './seller/decideOrder.ts'
import { postPlan } from './seller/postPlan.ts'

/** Orders, of both sides. */
export const ORDER_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    name: 'placeOrder',
    method: 'post',
    path: '/orders',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Place an order with a seller',
    body: CreateOrder,
    ignored: IGNORED_MEMBERS,
    tenant: 'buyer_entity',
    rate: 'orders',
    query: CreateOrderQuery,
    replies: { 200: OrderPreview, 201: OrderCreated },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    errors: ['TENANT_MISMATCH', 'CONFLICT', ...LINE_ERRORS, 'CREDIT_LIMIT'],
    review: reviewCreate,
    handler: createOrder,
  }),
  endpoint({
    name: 'listOrders',
    method: 'get',
    path: '/orders',
    side: 'buyer',
    scope: 'orders:read',
    summary: "The buyer's order book, newest first",
    query: OrderListQuery,
    replies: { 200: OrderList },
    handler: getOrders,
  }),
  endpoint({
    name: 'getOrder',
    method: 'get',
    path: '/orders/:order_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'The authoritative snapshot of an order',
    query: OrderQuery,
    replies: { 200: OrderSnapshot },
    handler: getOrder,
  }),
  endpoint({
    name: 'getOrderAudit',
    method: 'get',
    path: '/orders/:order_id/audit',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'The record of an order as hashed: anybody can verify it offline',
    query: AuditQuery,
    replies: { 200: OrderAudit },
    errors: ['NOT_FOUND'],
    handler: getAudit,
  }),
  endpoint({
    name: 'confirmOrder',
    method: 'post',
    path: '/orders/:order_id/confirm',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Confirm or reject an order that waits for its buyer: the plan of a proposal, the lines of a document',
    body: ConfirmOrder,
    replies: { 202: ConfirmReply },
    errors: ['CONFLICT', 'INVALID_STATE', 'STALE_RATE_CARD', ...LINE_ERRORS, 'CREDIT_LIMIT'],
    handler: confirmOrder,
  }),
  endpoint({
    name: 'cancelOrder',
    method: 'post',
    path: '/orders/:order_id/cancel',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Cancel an order; cancelling twice is cancelling once',
    body: CancelOrder,
    replies: { 202: CancelReply },
    errors: ['INVALID_STATE'],
    handler: cancelOrder,
  }),
  endpoint({
    name: 'respondToCounters',
    method: 'post',
    path: '/orders/:order_id/respond',
    side: 'buyer',
    scope: 'orders:write',
    summary: "Answer the seller's counters: accept them all, or withdraw the order",
    body: RespondOrder,
    replies: { 202: RespondReply },
    errors: ['INVALID_STATE', 'STALE_RATE_CARD'],
    handler: respondOrder,
  }),
  endpoint({
    name: 'listReceivedOrders',
    method: 'get',
    path: '/me/orders',
    side: 'seller',
    scope: 'orders:read',
    summary: "The seller's order book, newest first; with status=seller_review alone its approval queue, by deadline",
    query: OrderListQuery,
    replies: { 200: OrderList },
    handler: getOrders,
  }),
  endpoint({
    name: 'getReceivedOrder',
    method: 'get',
    path: '/me/orders/:order_id',
    side: 'seller',
    scope: 'orders:read',
    summary: 'One order with its buyer context',
    query: OrderQuery,
    replies: { 200: OrderSnapshot },
    handler: getOrder,
  }),
  endpoint({
    name: 'getReceivedOrderAudit',
    method: 'get',
    path: '/me/orders/:order_id/audit',
    side: 'seller',
    scope: 'orders:read',
    summary: 'The record of an order as hashed: anybody can verify it offline',
    query: AuditQuery,
    replies: { 200: OrderAudit },
    errors: ['NOT_FOUND'],
    handler: getAudit,
  }),
  endpoint({
    name: 'decideOrder',
    method: 'post',
    path: '/me/orders/:order_id/decide',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Approve, reject or counter an order, as a whole or line by line',
    body: DecideOrder,
    replies: { 202: DecideReply },
    errors: ['INVALID_STATE', 'CREDIT_LIMIT'],
    handler: decideOrder,
  }),
  endpoint({
    name: 'postPlan',
    method: 'post',
    path: '/me/orders/:order_id/plan',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Answer a proposal with a plan; a newer plan supersedes the one before',
    body: PostPlan,
    replies: { 202: PlanReply },
    errors: ['CONFLICT', 'INVALID_STATE', ...LINE_ERRORS, 'DUPLICATE_EXTERNAL_REF'],
    handler: postPlan,
  }),
]

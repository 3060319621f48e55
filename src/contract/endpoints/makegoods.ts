import { IdempotencyHeaders } from '../idempotencyKey.ts'
import { AnswerMakegood, Makegood, MakegoodList, MakegoodsQuery, NoticeMakegood, OrderMakegoodsQuery, ReviseMakegood } from '../makegood.ts'
import { endpoint, named } from './endpoint.ts'

const KEYED =
  'With an Idempotency-Key a retry of the same bytes changes nothing, whatever was done since, and is answered with the makegood as it is now; other bytes are ' +
  '409 CONFLICT.'
const NO_EVENT = 'No event follows; the change reads of reconciliation show it.'
const OVER = 'one that is answered, over or of another version is 409 INVALID_STATE with its status and version'
const LIST = 'newest first, each with its offers, what was agreed and credited, and its actions.'
const REPLAY = { headers: IdempotencyHeaders, errors: ['INVALID_STATE', 'CONFLICT'] } as const
const ONE = { replies: { 200: Makegood }, replyHeaders: { 200: ['ETag'] } } as const

/** Makegoods: spots that do not air, and others that are offered for them (additive; choices, Makegoods). */
export const MAKEGOODS = named({
  noticeMakegood: endpoint({
    method: 'post',
    path: '/me/orders/:order_id/makegoods',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Say that spots do not air, and offer others',
    description:
      'Begins a makegood of a placed order: units that do not air, before their date or after it, and other spots as alternatives, if any are offered yet. An offer costs what it ' +
      `replaces, never more; the guidelines of the agreement may accept it at once. ${KEYED} ${NO_EVENT}`,
    body: NoticeMakegood,
    replies: { 201: Makegood },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    ...REPLAY,
  }),
  reviseMakegood: endpoint({
    method: 'post',
    path: '/me/orders/:order_id/makegoods/:makegood_id',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Offer other spots, or recall a makegood',
    description: `Puts offers in place of earlier ones, which raises the version, or takes the makegood back; ${OVER}. ${KEYED} ${NO_EVENT}`,
    body: ReviseMakegood,
    replies: { 200: Makegood },
    replyHeaders: { 200: ['X-Idempotent-Replay'] },
    ...REPLAY,
  }),
  answerMakegood: endpoint({
    method: 'post',
    path: '/orders/:order_id/makegoods/:makegood_id',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Accept, decline or ask credit for a makegood',
    description:
      `Answers a version of a makegood; the first answer wins, and ${OVER}. An accepted offer is what reconciliation and invoices expect; credit of a cleared order ` +
      `is a credit note on the invoice of the month, now or when that is issued. ${KEYED} ${NO_EVENT}`,
    body: AnswerMakegood,
    replies: { 200: Makegood },
    replyHeaders: { 200: ['X-Idempotent-Replay'] },
    ...REPLAY,
  }),
  listOrderMakegoods: endpoint({
    method: 'get',
    path: '/orders/:order_id/makegoods',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'List the makegoods of an order',
    description: `Returns the makegoods of one of the buyer's orders, ${LIST}`,
    query: OrderMakegoodsQuery,
    replies: { 200: MakegoodList },
  }),
  getMakegood: endpoint({
    method: 'get',
    path: '/orders/:order_id/makegoods/:makegood_id',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'Get a makegood',
    description: "Returns one makegood of the buyer's order. An offer whose time is over reads expired.",
    ...ONE,
  }),
  listMakegoods: endpoint({
    method: 'get',
    path: '/makegoods',
    side: 'buyer',
    scope: 'orders:read',
    summary: 'List your makegoods',
    description: `Returns the makegoods of all of the buyer's orders, ${LIST}`,
    query: MakegoodsQuery,
    replies: { 200: MakegoodList },
  }),
  listReceivedOrderMakegoods: endpoint({
    method: 'get',
    path: '/me/orders/:order_id/makegoods',
    side: 'seller',
    scope: 'orders:read',
    summary: 'List the makegoods of an order you received',
    description: `Returns the makegoods of one of the seller's orders, ${LIST}`,
    query: OrderMakegoodsQuery,
    replies: { 200: MakegoodList },
  }),
  getReceivedMakegood: endpoint({
    method: 'get',
    path: '/me/orders/:order_id/makegoods/:makegood_id',
    side: 'seller',
    scope: 'orders:read',
    summary: 'Get a makegood of an order you received',
    description: "Returns one makegood of the seller's order. An offer whose time is over reads expired.",
    ...ONE,
  }),
  listReceivedMakegoods: endpoint({
    method: 'get',
    path: '/me/makegoods',
    side: 'seller',
    scope: 'orders:read',
    summary: 'List the makegoods that you noticed',
    description: `Returns the makegoods of all of the seller's orders, ${LIST}`,
    query: MakegoodsQuery,
    replies: { 200: MakegoodList },
  }),
})

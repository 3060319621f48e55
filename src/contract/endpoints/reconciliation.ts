import { IdempotencyHeaders } from '../idempotencyKey.ts'
import {
  ActedVariance,
  AnswerVariance,
  ReconciledOrders,
  ReconciledOrdersQuery,
  Reconciliation,
  ReconciliationQuery,
  SettleVariance,
} from '../reconciliation.ts'
import { endpoint, named } from './endpoint.ts'

const READ =
  'what it books, what aired and what the seller billed, line by line, with the variances and what was done about them. Before the first result the revision ' +
  'is 0 and there are no lines. With code or state it returns only variances that have it, and only lines that have such a variance; a page may have fewer ' +
  'lines than its limit. If the revision changes between two pages, begin again.'
const CHANGES =
  'whose reconciliation has changed, each once, at its last change, in the order of changes; next_cursor continues from there and is never null. A new result ' +
  'changes it, and so does an action on a variance. It acknowledges nothing: the same cursor returns the same and later changes again.'
const ACTION =
  'Actions are kept, and one that the state of the variance does not allow is 409 INVALID_STATE with the state in details. With an Idempotency-Key a retry ' +
  'of the same bytes changes nothing, whatever was done since, and is answered with the variance as it is now; other bytes are 409 CONFLICT; without a key an ' +
  'exact repeat of the last action changes nothing'
const KEYED = {
  headers: IdempotencyHeaders,
  replyHeaders: { 200: ['X-Idempotent-Replay'] },
  errors: ['INVALID_STATE', 'CONFLICT'],
} as const

/** Reconciliation: the differences between the ordered spots and the aired and billed ones. */
export const RECONCILIATION = named({
  getReconciliation: endpoint({
    method: 'get',
    path: '/orders/:order_id/reconciliation',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'Get the reconciliation of an order',
    description: `Returns the reconciliation of one of the buyer's orders: ${READ}`,
    query: ReconciliationQuery,
    replies: { 200: Reconciliation },
  }),
  answerVariance: endpoint({
    method: 'post',
    path: '/orders/:order_id/reconciliation/variances/:variance_id',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Accept or dispute a variance',
    description:
      'Accepts a variance that is open, credited or upheld, or disputes it, which takes its spot out of undisputed_gross of the invoice until it is accepted, ' +
      `credited or gone. ${ACTION}. No event follows; the change reads show it.`,
    body: AnswerVariance,
    replies: { 200: ActedVariance },
    ...KEYED,
  }),
  getReceivedReconciliation: endpoint({
    method: 'get',
    path: '/me/orders/:order_id/reconciliation',
    side: 'seller',
    scope: 'settlement:read',
    summary: 'Get the reconciliation of an order you received',
    description: `Returns the reconciliation of one of the seller's orders: ${READ}`,
    query: ReconciliationQuery,
    replies: { 200: Reconciliation },
  }),
  settleVariance: endpoint({
    method: 'post',
    path: '/me/orders/:order_id/reconciliation/variances/:variance_id',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Credit or uphold a disputed variance',
    description:
      'Credits a disputed variance, in full or by an amount, or upholds it. On a cleared order the credit of a spot that the invoice bills is a credit note, with ' +
      `settlement.invoice_issued to both sides; other credits are recorded alone. ${ACTION}, and a credit with the bytes of an earlier one is ` +
      '409 CONFLICT.',
    body: SettleVariance,
    replies: { 200: ActedVariance },
    ...KEYED,
  }),
  listReconciledOrders: endpoint({
    method: 'get',
    path: '/settlement/reconciliation',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'List your orders whose reconciliation changed',
    description: `Returns the buyer's orders ${CHANGES}`,
    query: ReconciledOrdersQuery,
    replies: { 200: ReconciledOrders },
  }),
  listReceivedReconciledOrders: endpoint({
    method: 'get',
    path: '/me/settlement/reconciliation',
    side: 'seller',
    scope: 'settlement:read',
    summary: 'List the orders you received whose reconciliation changed',
    description: `Returns the seller's orders ${CHANGES}`,
    query: ReconciledOrdersQuery,
    replies: { 200: ReconciledOrders },
  }),
})

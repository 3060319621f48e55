import { Hold } from '../hold.ts'
import { IdempotencyHeaders } from '../idempotencyKey.ts'
import { Elapse, ElapsedReply, FreshTenant, MakeTenant, SandboxOrder, SandboxOrderCreated } from '../sandbox.ts'
import { SandboxMailList, SandboxMailQuery } from '../sandboxMail.ts'
import { endpoint, FILE, named } from './endpoint.ts'

/** What sandboxes alone serve. In production none of these paths exists. */
const here = { sandbox: true } as const

export const SANDBOX = named({
  listSandboxMails: endpoint({
    ...here,
    method: 'get',
    path: '/sandbox/mail',
    side: 'any',
    scope: 'orders:read',
    summary: 'List mails of the sandbox',
    description:
      "Returns the mails of the caller's own orders that reached the sandbox's mailbox, newest first; order_id shows those of one order. The " +
      'mailbox keeps the newest 1,000 mails of all orders. It is empty where SMTP_URL names a mail server, and 404 in production.',
    query: SandboxMailQuery,
    replies: { 200: SandboxMailList },
  }),
  getSandboxMail: endpoint({
    ...here,
    method: 'get',
    path: '/sandbox/mail/:mail_id',
    side: 'any',
    scope: 'orders:read',
    summary: 'Get a mail of the sandbox',
    description: "Returns a mail of one of the caller's own orders as the mailbox received it, byte for byte. In production it is 404.",
    replies: { 200: FILE },
    files: { 'message/rfc822': 'edi/order.eml' },
  }),
  makeTenant: endpoint({
    ...here,
    method: 'post',
    path: '/sandbox/tenants',
    side: 'any',
    scope: 'orders:read',
    summary: 'Make a tenant',
    description:
      'In the sandbox only: makes a buyer or a seller that nobody knows yet, for one run of a test suite, with a token of every scope of its side that is ' +
      'shown in this reply only. Both end after a week. A credential makes 20 in any 24 hours. Each call makes another tenant, unless its Idempotency-Key repeats an earlier one.',
    body: MakeTenant,
    replies: { 201: FreshTenant },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT'],
  }),
  orderFromSeller: endpoint({
    ...here,
    method: 'post',
    path: '/sandbox/orders',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Get an order from the buyer of the sandbox',
    description:
      "In the sandbox only: the sandbox's buyer orders from the caller what it has on sale, and then answers as then says. " +
      'The reply comes once it has ordered, or after ten seconds with status requested: it orders all the same. Each call places another order, at most 60 a ' +
      'minute with a credential, unless its Idempotency-Key repeats an earlier one. The events of the order follow.',
    body: SandboxOrder,
    replies: { 201: SandboxOrderCreated },
    replyHeaders: { 201: ['X-Idempotent-Replay'] },
    headers: IdempotencyHeaders,
    errors: ['CONFLICT', 'INVALID_STATE'],
  }),
  getDemandedOrder: endpoint({
    ...here,
    method: 'get',
    path: '/sandbox/orders/:external_order_id',
    side: 'seller',
    scope: 'orders:read',
    summary: 'See what became of an order on demand',
    description:
      'In the sandbox only: says whether the order that the caller has asked for is placed, with its order_id, or why the buyer could not order. It is kept for a week.',
    replies: { 200: SandboxOrderCreated },
  }),
  elapseDeadline: endpoint({
    ...here,
    method: 'post',
    path: '/sandbox/orders/:order_id/elapse',
    side: 'any',
    scope: 'orders:read',
    summary: 'Let a deadline of an order pass',
    description:
      'In the sandbox only: the named deadline of the order counts as passed, for the deadlines of its present step alone; stamps stay those of the calls, and as_of of ' +
      'a command goes before it. What the lapse writes is written when the reply comes. Time never goes back. A deadline that the order does not have is 409 ' +
      'INVALID_STATE with those that it has.',
    body: Elapse,
    replies: { 200: ElapsedReply },
    errors: ['INVALID_STATE'],
  }),
  elapseHold: endpoint({
    ...here,
    method: 'post',
    path: '/sandbox/holds/:hold_id/elapse',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Let the time of a hold pass',
    description:
      "In the sandbox only: the time of one of the buyer's holds is over now, and its run does what follows. A hold that was used, released or is over is 409 INVALID_STATE.",
    replies: { 200: Hold },
    errors: ['INVALID_STATE'],
  }),
})

import { EdiDocumentQuery, EdiListQuery, EdiMail, EdiMailList, ResendEdi } from '../edi.ts'
import { IdempotencyHeaders } from '../idempotencyKey.ts'
import { EDI_RESENDS_PER_DAY } from '../vocabulary/edi.ts'
import { endpoint, FILE, named } from './endpoint.ts'

const list = {
  method: 'get',
  scope: 'orders:read',
  query: EdiListQuery,
  replies: { 200: EdiMailList },
} as const

const LISTED =
  "that carry its documents to the agency's billing system, newest first, with every attempt. reason says why there is no address for " +
  'them; it is null if there is one. Both sides read the same.'

const document = {
  method: 'get',
  scope: 'orders:read',
  query: EdiDocumentQuery,
  replies: { 200: FILE },
  replyHeaders: { 200: ['Content-Disposition'] },
  files: { 'application/xml': 'edi/order.scx', 'text/csv': 'edi/order.csv' },
  errors: ['INVALID_STATE'],
} as const

const DOCUMENT =
  'Returns the bytes of the document that a mail carries, as they are or were sent; with format=csv the csv form, if the mail carries one. ' +
  'A document is made at the first attempt of its mail: until then, and for a mail that was skipped, it is 409 INVALID_STATE.'

const resend = {
  method: 'post',
  body: ResendEdi,
  headers: IdempotencyHeaders,
  replies: { 202: EdiMail },
  replyHeaders: { 202: ['X-Idempotent-Replay'] },
  errors: ['CONFLICT', 'INVALID_STATE'],
} as const

const RESENT =
  "Queues the document of one mail, or without message_id that of the order's state, once more: the same document under a new Message-ID, to the " +
  'address that the agreement has when it is sent. It does not wait for the mail server. With an Idempotency-Key the same bytes replay the stored ' +
  `reply; without one each call sends the document again, at most ${EDI_RESENDS_PER_DAY} times in 24 hours for each order and side. No event follows: read the mail.`

/** The mails of placed orders to agencies' billing systems, for both sides of an order (additive; choices, Order documents). */
export const EDI = named({
  listEdiMails: endpoint({
    ...list,
    path: '/orders/:order_id/edi',
    side: 'buyer',
    summary: 'List the mails of an order',
    description: `Returns the mails of one of the buyer's orders ${LISTED}`,
  }),
  getEdiDocument: endpoint({
    ...document,
    path: '/orders/:order_id/edi/:message_id/document',
    side: 'buyer',
    summary: 'Get the document of a mail',
    description: DOCUMENT,
  }),
  resendEdiMail: endpoint({
    ...resend,
    path: '/orders/:order_id/edi',
    side: 'buyer',
    scope: 'orders:write',
    summary: 'Send a document of an order again',
    description: RESENT,
  }),
  listReceivedEdiMails: endpoint({
    ...list,
    path: '/me/orders/:order_id/edi',
    side: 'seller',
    summary: 'List the mails of an order you received',
    description: `Returns the mails of one of the seller's orders ${LISTED}`,
  }),
  getReceivedEdiDocument: endpoint({
    ...document,
    path: '/me/orders/:order_id/edi/:message_id/document',
    side: 'seller',
    summary: 'Get the document of a mail of a received order',
    description: DOCUMENT,
  }),
  resendReceivedEdiMail: endpoint({
    ...resend,
    path: '/me/orders/:order_id/edi',
    side: 'seller',
    scope: 'orders:approve',
    summary: 'Send a document of a received order again',
    description: RESENT,
  }),
})

import { SandboxMailList, SandboxMailQuery } from '../sandboxMail.ts'
import { endpoint, FILE, named } from './endpoint.ts'

/** The mails that the sandbox received; in production each of these endpoints returns 404. */
export const SANDBOX = named({
  listSandboxMails: endpoint({
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
    errors: ['NOT_FOUND'],
  }),
  getSandboxMail: endpoint({
    method: 'get',
    path: '/sandbox/mail/:mail_id',
    side: 'any',
    scope: 'orders:read',
    summary: 'Get a mail of the sandbox',
    description: "Returns a mail of one of the caller's own orders as the mailbox received it, byte for byte. In production it is 404.",
    replies: { 200: FILE },
    files: { 'message/rfc822': 'edi/order.eml' },
  }),
})

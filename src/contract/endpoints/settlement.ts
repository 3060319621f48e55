import { Invoice, InvoiceList, InvoiceListQuery, IssueAsOf, IssuedAsOf, IssuedInvoiceListQuery, MarkPaid, PaidInvoice } from '../invoice.ts'
import { endpoint, named } from './endpoint.ts'

const LIST =
  'newest first and without their lines. A list of one agreement and one broadcast_month is the statement of that month: its totals sum every page.'

/** Settlement: the bills of cleared trades. */
export const SETTLEMENT = named({
  listInvoices: endpoint({
    method: 'get',
    path: '/settlement/invoices',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'List your invoices',
    description: `Returns the invoices and credit notes on the buyer's cleared trades, ${LIST}`,
    query: InvoiceListQuery,
    replies: { 200: InvoiceList },
  }),
  getInvoice: endpoint({
    method: 'get',
    path: '/settlement/invoices/:invoice_id',
    side: 'buyer',
    scope: 'settlement:read',
    summary: 'Get an invoice',
    description:
      'Returns an invoice or a credit note of the buyer with its lines. An invoice never changes; what is credited of it is in credit notes.',
    replies: { 200: Invoice },
  }),
  listIssuedInvoices: endpoint({
    method: 'get',
    path: '/me/settlement/invoices',
    side: 'seller',
    scope: 'settlement:read',
    summary: 'List the invoices issued for you',
    description: `Returns the invoices and credit notes on the seller's cleared trades, ${LIST}`,
    query: IssuedInvoiceListQuery,
    replies: { 200: InvoiceList },
  }),
  getIssuedInvoice: endpoint({
    method: 'get',
    path: '/me/settlement/invoices/:invoice_id',
    side: 'seller',
    scope: 'settlement:read',
    summary: 'Get an invoice issued for you',
    description:
      'Returns an invoice or a credit note of the seller with its lines. An invoice never changes; what is credited of it is in credit notes.',
    replies: { 200: Invoice },
  }),
  markInvoicePaid: endpoint({
    method: 'post',
    path: '/me/settlement/invoices/:invoice_id/paid',
    side: 'seller',
    scope: 'settlement:write',
    summary: 'Mark an invoice as paid',
    description:
      'Records that the buyer has paid an invoice whole, less its credit notes; it no longer counts in the exposure under the agreement. Sending it again ' +
      'changes nothing and returns the invoice as it was marked first. A credit note, and an invoice that credit notes credit whole, is 409 INVALID_STATE. No event follows.',
    body: MarkPaid,
    replies: { 200: PaidInvoice },
    errors: ['INVALID_STATE'],
  }),
  issueInvoicesAsOf: endpoint({
    method: 'post',
    path: '/sandbox/settlement',
    sandbox: true,
    side: 'seller',
    scope: 'settlement:write',
    summary: 'Issue invoices as of a time',
    description:
      "In the sandbox only, elsewhere 404: issues the seller's invoices for every broadcast month that has cleared by as_of, so that a test need not wait for " +
      'the end of a month. A call invoices at most 200 orders; send it again while has_more is true. A month that was invoiced before its order was canceled gets what has ' +
      'changed: an invoice of the late fee, a credit note of the dates that are no longer billed. settlement.invoice_issued follows for each.',
    body: IssueAsOf,
    replies: { 202: IssuedAsOf },
  }),
})

import type { Invoice, IssueAsOf, MarkPaid } from '../../../src/contract/invoice.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { issueAsOf } from '../../../src/operations/settlement/issueAsOf.ts'
import { findInvoice, readInvoices } from '../../../src/store/settlement/invoiceReads.ts'
import { payInvoice } from '../../../src/store/settlement/settle.ts'
import type { Call, Caller } from '../../http/call.ts'
import type { Deps, Handler } from '../../http/handler.ts'
import { accepted, ok } from '../../http/reply.ts'
import { noSuchInvoice } from '../both/invoices.ts'

/** POST /me/settlement/invoices/{invoice_id}/paid: marking it again changes nothing. */
export const postPaid: Handler<MarkPaid> = async (deps, { caller, params, body }) => {
  const { invoice_id, kind } = await ownInvoice(deps, caller, params)
  if (kind === 'invoice') await payInvoice(deps.db, invoice_id, body)
  const invoice = await ownInvoice(deps, caller, params)
  if (invoice.status !== 'paid') {
    const what = kind === 'invoice' ? 'is credited whole' : 'is a credit note'
    throw new Refusal('INVALID_STATE', `${invoice.invoice_number} ${what}: only an issued invoice can be paid.`, {
      kind,
      status: invoice.status,
    })
  }
  return ok(invoice)
}

/** Returns the invoice that a path names. A foreign id gets the same 404 as an unknown one. */
export async function ownInvoice({ db }: Pick<Deps, 'db'>, caller: Caller, { invoice_id }: Call['params']): Promise<Invoice> {
  const invoice = await findInvoice(db, caller, invoice_id ?? '')
  if (invoice === undefined) throw noSuchInvoice()
  return invoice
}

/** POST /sandbox/settlement */
export const issueInvoicesAsOf: Handler<IssueAsOf> = async (deps, { caller, body }) => {
  const run = await issueAsOf({ log: deps.orders, db: deps.db }, { seller: caller.entity, asOf: body.as_of })
  return accepted({ issued: await readInvoices(deps.db, caller, run.issued), has_more: run.has_more })
}

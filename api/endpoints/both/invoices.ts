import type { InvoiceListQuery, IssuedInvoiceListQuery } from '../../../src/contract/invoice.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { findInvoice, listInvoices, sumInvoices } from '../../../src/store/settlement/invoiceReads.ts'
import type { Handler } from '../../http/handler.ts'
import { type Page, pageOf, positionOf } from '../../http/page.ts'
import { ok } from '../../http/reply.ts'

/** Reads of invoices, for both sides. */

export const getInvoices: Handler<undefined, InvoiceListQuery | IssuedInvoiceListQuery> = async (deps, { caller, query }) => {
  const { cursor, limit, ...filter } = query
  const page: Page = { bound: ['invoices', caller.entity, JSON.stringify(filter)], cursor, limit }
  const [before] = positionOf(deps, page) ?? []
  const isStatement = filter.agreement !== undefined && filter.broadcast_month !== undefined
  const [rows, totals] = await deps.pages.inTurn(caller.entity, () =>
    Promise.all([
      listInvoices(deps.db, caller, { ...filter, before, limit: limit + 1 }),
      isStatement ? sumInvoices(deps.db, caller, filter) : undefined,
    ]),
  )
  const { items, next_cursor } = pageOf(deps, page, rows, ({ invoice_id }) => [invoice_id])
  return ok({ items, ...(totals === undefined ? {} : { totals }), next_cursor })
}

export const getInvoice: Handler = async ({ db }, { caller, params }) => {
  const invoice = await findInvoice(db, caller, params.invoice_id ?? '')
  if (invoice === undefined) throw noSuchInvoice()
  return ok(invoice)
}

export function noSuchInvoice(): Refusal {
  return new Refusal('NOT_FOUND', 'There is no such invoice.')
}

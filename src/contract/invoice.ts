import { z } from 'zod'
import { listQuery } from './listQuery.ts'
import { Currency, IsoDate, IsoDateTime, IsoMonth, NextCursor, Stamp } from './scalars.ts'
import { UnknownMembers } from './unknownMembers.ts'
import { INVOICE_KINDS, INVOICE_LINE_KINDS, INVOICE_STATUSES } from './vocabulary/settlement.ts'

/** A line of an order in one broadcast month, a late fee, or a credit. Credits are negative. */
export const InvoiceLine = z
  .object({
    kind: z.enum(INVOICE_LINE_KINDS),
    unit_id: z.string().optional(),
    product_id: z.string().optional(),
    product_title: z.string().optional().meta({ description: 'The title of the product, as on the line of the order.' }),
    network: z.string().optional(),
    spot_length: z.int().positive().optional(),
    units: z.int().nonnegative().optional(),
    dates: z.array(z.object({ date: IsoDate, units: z.int().nonnegative() })).optional(),
    unit_cost: z.number().optional(),
    cpm: z.number().optional(),
    impressions_per_unit: z.number().optional(),
    fee_pct: z.number().optional(),
    makegood_id: z.string().optional(),
    gross: z.number(),
  })
  .meta({ id: 'InvoiceLine' })
export type InvoiceLine = z.infer<typeof InvoiceLine>

/** An invoice as lists show it, without its lines. */
export const InvoiceSummary = z
  .object({
    invoice_id: z.string(),
    invoice_number: z.string(),
    kind: z.enum(INVOICE_KINDS),
    credits: z.string().optional(),
    reason: z.string().optional(),
    seller: z.string(),
    buyer_entity: z.string(),
    order_id: z.string(),
    external_order_id: z.string(),
    agreement_id: z.string(),
    estimate_id: z.string().optional(),
    broadcast_month: IsoMonth,
    currency: Currency,
    gross: z.number(),
    commission_pct: z.number(),
    commission: z.number(),
    net: z.number(),
    undisputed_gross: z.number(),
    credited_gross: z.number(),
    status: z.enum(INVOICE_STATUSES),
    issued_at: Stamp,
    paid_at: Stamp.optional(),
    paid_on: IsoDate.optional(),
    reference: z.string().optional(),
  })
  .meta({ id: 'InvoiceSummary' })
export type InvoiceSummary = z.infer<typeof InvoiceSummary>

export const Invoice = InvoiceSummary.extend({ lines: z.array(InvoiceLine) }).meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof Invoice>

/** The sums of a statement: the invoices and credit notes of an agreement in one broadcast month. */
export const StatementTotals = z
  .object({ gross: z.number(), commission: z.number(), net: z.number(), currency: Currency })
  .meta({ id: 'StatementTotals' })
export type StatementTotals = z.infer<typeof StatementTotals>

export const InvoiceList = z
  .object({
    items: z.array(InvoiceSummary),
    totals: StatementTotals.optional(),
    next_cursor: NextCursor,
  })
  .meta({ id: 'InvoiceList' })

const filters = {
  agreement: z.string().optional(),
  order_id: z.string().optional(),
  broadcast_month: IsoMonth.optional(),
  status: z.enum(INVOICE_STATUSES).optional(),
  kind: z.enum(INVOICE_KINDS).optional(),
  ...listQuery({ usual: 50, max: 200 }),
}
export const InvoiceListQuery = z.strictObject({ seller: z.string().optional(), ...filters })
export type InvoiceListQuery = z.output<typeof InvoiceListQuery>
export const IssuedInvoiceListQuery = z.strictObject({ buyer_entity: z.string().optional(), ...filters })
export type IssuedInvoiceListQuery = z.output<typeof IssuedInvoiceListQuery>

/** POST /me/settlement/invoices/{invoice_id}/paid */
export const MarkPaid = z.object({ paid_on: IsoDate.optional(), reference: z.string().min(1).max(200).optional() }).meta({ id: 'MarkPaid' })
export type MarkPaid = z.infer<typeof MarkPaid>

export const PaidInvoice = Invoice.extend({ warnings: UnknownMembers }).meta({ id: 'PaidInvoice' })

/** POST /sandbox/settlement */
export const IssueAsOf = z.object({ as_of: IsoDateTime }).meta({ id: 'IssueAsOf' })
export type IssueAsOf = z.infer<typeof IssueAsOf>

export const IssuedAsOf = z
  .object({ issued: z.array(InvoiceSummary), has_more: z.boolean(), warnings: UnknownMembers })
  .meta({ id: 'IssuedAsOf' })

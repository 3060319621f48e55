import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Invoice, InvoiceSummary, StatementTotals } from '../../contract/invoice.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import type { InvoiceKind, InvoiceStatus } from '../../contract/vocabulary/settlement.ts'
import { decimal, jsonNumber } from '../../domain/decimal.ts'
import type { Database } from '../connection/database.ts'
import type { Tables } from '../connection/tables.ts'
import type { SettlementTables } from './settlementTables.ts'

/** The reader of invoices: a buyer, or the seller for which they were issued. */
export interface InvoiceReader {
  readonly entity: string
  readonly side: Side
}

export interface InvoiceFilter {
  seller?: string | undefined
  buyer_entity?: string | undefined
  agreement?: string | undefined
  order_id?: string | undefined
  broadcast_month?: string | undefined
  status?: InvoiceStatus | undefined
  kind?: InvoiceKind | undefined
}

/** Lists invoices and credit notes of a reader, newest first, before an id if one is given. */
export async function listInvoices(
  { sql: db }: Pick<Database, 'sql'>,
  reader: InvoiceReader,
  { before, limit, ...filter }: InvoiceFilter & { before?: string | undefined; limit: number },
): Promise<InvoiceSummary[]> {
  let query = filtered(db.selectFrom('invoices'), reader, filter)
  if (before !== undefined) query = query.where('invoice_id', '<', before)
  return (await query.select(SUMMARY).orderBy('invoice_id', 'desc').limit(limit).execute()).map(summaryOf)
}

/** Sums what a filter selects; undefined if it selects nothing, or amounts in several currencies. */
export async function sumInvoices(
  { sql: db }: Pick<Database, 'sql'>,
  reader: InvoiceReader,
  filter: InvoiceFilter,
): Promise<StatementTotals | undefined> {
  const [totals, ...others] = await filtered(db.selectFrom('invoices'), reader, filter)
    .select(({ fn }) => [
      'currency',
      fn.sum<string>('gross').as('gross'),
      fn.sum<string>('commission').as('commission'),
      fn.sum<string>('net').as('net'),
    ])
    .groupBy('currency')
    .execute()
  if (totals === undefined || others.length > 0) return undefined
  const { currency, gross, commission, net } = totals
  return { gross: jsonNumber(gross), commission: jsonNumber(commission), net: jsonNumber(net), currency }
}

/** Returns an invoice of a reader with its lines; undefined for another tenant's invoice, as for an unknown one. */
export async function findInvoice(
  { sql: db }: Pick<Database, 'sql'>,
  reader: InvoiceReader,
  invoiceId: string,
): Promise<Invoice | undefined> {
  const row = await filtered(db.selectFrom('invoices'), reader, {})
    .where('invoice_id', '=', invoiceId)
    .select([...SUMMARY, 'lines'])
    .executeTakeFirst()
  return row && { ...summaryOf(row), lines: row.lines }
}

/** Returns invoices of a reader by their ids, in their order. */
export async function readInvoices(
  { sql: db }: Pick<Database, 'sql'>,
  reader: InvoiceReader,
  ids: readonly string[],
): Promise<InvoiceSummary[]> {
  if (ids.length === 0) return []
  const rows = await filtered(db.selectFrom('invoices'), reader, {})
    .where('invoice_id', 'in', ids)
    .select(SUMMARY)
    .orderBy('invoice_id')
    .execute()
  return rows.map(summaryOf)
}

/** Returns the gross of the invoices under an agreement less that of credit notes, as decimal text (choices, Pacing). */
export async function invoicedGross({ sql: db }: Pick<Database, 'sql'>, agreementId: string): Promise<string> {
  const { invoiced } = await db
    .selectFrom('invoices')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('gross'), sql<string>`0`).as('invoiced'))
    .where('agreement_id', '=', agreementId)
    .executeTakeFirstOrThrow()
  return invoiced
}

function filtered<O>(
  query: SelectQueryBuilder<Tables, 'invoices', O>,
  { entity, side }: InvoiceReader,
  { agreement, ...columns }: InvoiceFilter,
): SelectQueryBuilder<Tables, 'invoices', O> {
  const asked = { ...columns, agreement_id: agreement }
  return Object.entries(asked)
    .filter(([, value]) => value !== undefined)
    .reduce(
      (so_far, [column, value]) => so_far.where(column as keyof typeof asked, '=', value as never),
      query.where(side === 'buyer' ? 'buyer_entity' : 'seller', '=', entity),
    )
}

const SUMMARY = [
  ...(['invoice_id', 'invoice_number', 'kind', 'credits', 'reason', 'seller', 'buyer_entity', 'order_id', 'external_order_id'] as const),
  ...(['agreement_id', 'estimate_id', 'broadcast_month', 'currency', 'gross', 'commission_pct', 'commission', 'net'] as const),
  ...(['credited', 'disputed', 'status', 'issued_at', 'paid_at', 'paid_on', 'reference'] as const),
] as const

type SummaryRow = Pick<Selectable<SettlementTables['invoices']>, (typeof SUMMARY)[number]>

function summaryOf(row: SummaryRow): InvoiceSummary {
  const { invoice_id, invoice_number, kind, seller, buyer_entity, order_id, external_order_id, agreement_id, broadcast_month } = row
  return {
    ...{ invoice_id, invoice_number, kind, ...present(row, 'credits'), ...present(row, 'reason') },
    ...{ seller, buyer_entity, order_id, external_order_id, agreement_id, ...present(row, 'estimate_id'), broadcast_month },
    currency: row.currency,
    gross: jsonNumber(row.gross),
    commission_pct: jsonNumber(row.commission_pct),
    commission: jsonNumber(row.commission),
    net: jsonNumber(row.net),
    undisputed_gross: jsonNumber(decimal(row.gross).minus(decimal(row.disputed))),
    credited_gross: jsonNumber(row.credited),
    status: row.status,
    issued_at: row.issued_at,
    ...{ ...present(row, 'paid_at'), ...present(row, 'paid_on'), ...present(row, 'reference') },
  }
}

/** Returns a member that is omitted if its column is null. */
function present<Column extends 'credits' | 'reason' | 'estimate_id' | 'paid_at' | 'paid_on' | 'reference'>(
  row: SummaryRow,
  column: Column,
): { [Name in Column]?: string } {
  return row[column] === null ? {} : ({ [column]: row[column] } as { [Name in Column]: string })
}

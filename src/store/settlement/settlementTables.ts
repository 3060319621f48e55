import type { ColumnType, Generated } from 'kysely'
import type { InvoiceLine } from '../../contract/invoice.ts'
import type { InvoiceKind, InvoiceStatus } from '../../contract/vocabulary/settlement.ts'
import type { OptionalTime, Time } from '../connection/columnTypes.ts'

/** Invoices and credit notes, and the counters of their numbers. */
export interface SettlementTables {
  invoices: {
    invoice_id: string
    seller: string
    buyer_entity: string
    order_id: string
    external_order_id: string
    agreement_id: string
    estimate_id: string | null
    broadcast_month: string
    kind: InvoiceKind
    n: number
    invoice_number: string
    credits: string | null
    reason: string | null
    order_seq: number
    currency: string
    gross: string
    commission_pct: string
    commission: string
    net: string
    credited: Generated<string>
    disputed: Generated<string>
    lines: ColumnType<InvoiceLine[], string, never>
    status: Generated<InvoiceStatus>
    issued_at: Time
    paid_at: OptionalTime
    paid_on: string | null
    reference: string | null
  }
  invoice_counters: { seller: string; broadcast_month: string; last: number }
}

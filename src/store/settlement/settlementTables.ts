import type { ColumnType, Generated } from 'kysely'
import type { InvoiceLine } from '../../contract/invoice.ts'
import type { Side } from '../../contract/vocabulary/access.ts'
import type { ReconciliationState, VarianceAction, VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { InvoiceKind, InvoiceStatus } from '../../contract/vocabulary/settlement.ts'
import type { ReconciliationTotals } from '../../domain/settlement/reconciliationLines.ts'
import type { AudienceGuarantee, ReconciliationCoverage, StoredLine } from '../../domain/settlement/reconciliationResult.ts'
import type { DefaultTime, OptionalTime, Time } from '../connection/columnTypes.ts'

/** The tables of invoices and credit notes with their number counters, and of reconciliations with the parties' actions on variances. */
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
  reconciliations: {
    order_id: string
    seller: string
    buyer_entity: string
    agreement_id: string | null
    currency: string
    revision: number
    result: number
    state: ReconciliationState
    coverage: ColumnType<ReconciliationCoverage, string, string>
    totals: ColumnType<ReconciliationTotals, string, string>
    guarantees: ColumnType<AudienceGuarantee[], string, string>
    codes: VarianceCode[]
    broadcast_months: string[]
    digest: Buffer
    reconciled_at: Time
    changed_txid: string
  }
  reconciliation_lines: {
    order_id: string
    result: number
    line: number
    seller: string
    buyer_entity: string
    unit_id: string | null
    network: string
    air_date: string
    broadcast_month: string
    codes: VarianceCode[]
    body: ColumnType<StoredLine, string, never>
  }
  variance_actions: {
    order_id: string
    variance_id: string
    n: number
    seller: string
    buyer_entity: string
    action: VarianceAction
    side: Side
    actor: string
    note: string | null
    amount: string | null
    invoice_id: string | null
    code: VarianceCode
    unit_id: string | null
    network: string
    air_date: string
    broadcast_month: string
    units: number
    gross: string
    disputed: Generated<string>
    spot: string | null
    request_key: string | null
    body_hash: Buffer | null
    at: DefaultTime
  }
}

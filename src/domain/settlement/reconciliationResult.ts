import type { VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { IsoDate } from '../calendar.ts'
import type { ReconciliationTotals } from './reconciliationLines.ts'
import type { SellerRow } from './sellerRows.ts'

/** What a reconciliation stores of a line: as it is read. */
export type StoredLine = ReconciliationTotals & {
  unit_id: string | null
  network: string
  air_date: IsoDate
  broadcast_month: string
  variances: StoredVariance[]
  /** Variances beyond those that a line lists. */
  variances_left_out?: number
}

export interface StoredVariance {
  variance_id: string
  code: VarianceCode
  units: number
  gross: number
  reason?: string
  rows: readonly SellerRow[]
}

/** What there is of a seller's logs and invoices for an order. */
export interface ReconciliationCoverage {
  /** The broadcast days on which the order books spots, by network, and those of which there is a log. */
  days_booked: number
  days_logged: number
  /** The broadcast months of which there is an invoice. */
  invoiced_months: string[]
  invoices: CoveredInvoice[]
  /** Invoices beyond those that are listed. */
  invoices_left_out?: number
}

/** An invoice of the seller that bills spots of the order, with what its rows for the order sum to. */
export interface CoveredInvoice {
  invoice_number: string
  invoice_date: IsoDate
  broadcast_month: string
  spots: number
  gross: number
  /** What the invoice states of itself, where all its rows are of the order. */
  stated?: { spot_count?: number; gross?: number; commission?: number; net?: number }
}

/** What a line guarantees of an audience, and what final posts say was delivered. */
export interface AudienceGuarantee {
  unit_id: string
  audience_code: string
  /** The stream that the posting policy of the line names; null where it names none. */
  stream: string | null
  guaranteed: number
  /** Null if no stream is named. */
  delivered: number | null
  shortfall: number | null
  reason?: 'policy_unstated'
}

import type { VarianceCode } from '../../contract/vocabulary/reconciliation.ts'
import type { IsoDate } from '../calendar.ts'
import type { ReconciliationTotals } from './reconciliationLines.ts'
import type { SellerRow } from './sellerRows.ts'

/** A line of a reconciliation as it is stored and read. */
export type StoredLine = ReconciliationTotals & {
  unit_id: string | null
  network: string
  air_date: IsoDate
  broadcast_month: string
  variances: StoredVariance[]
  /** The number of variances beyond those that the line lists. */
  variances_left_out?: number
}

export interface StoredVariance {
  variance_id: string
  code: VarianceCode
  units: number
  gross: number
  reason?: string
  makegood_id?: string
  agreed?: boolean
  rows: readonly SellerRow[]
}

/** The seller's logs and invoices that exist for an order. */
export interface ReconciliationCoverage {
  /** The numbers of broadcast days on which the order books spots, by network, and of those with a log. */
  days_booked: number
  days_logged: number
  /** The broadcast months with an invoice. */
  invoiced_months: string[]
  invoices: CoveredInvoice[]
  /** The number of invoices beyond the listed ones. */
  invoices_left_out?: number
}

/** An invoice of the seller that bills spots of the order, with the sums of its rows for the order. */
export interface CoveredInvoice {
  invoice_number: string
  invoice_date: IsoDate
  broadcast_month: string
  spots: number
  gross: number
  /** The totals that the invoice states, if all of its rows belong to the order. */
  stated?: { spot_count?: number; gross?: number; commission?: number; net?: number }
}

/** The audience that a line guarantees, and the delivery that final posts report. */
export interface AudienceGuarantee {
  unit_id: string
  audience_code: string
  /** The stream that the line's posting policy names; null if it names none. */
  stream: string | null
  guaranteed: number
  /** Null if no stream is named. */
  delivered: number | null
  shortfall: number | null
  reason?: 'policy_unstated'
}

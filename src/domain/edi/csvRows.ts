import { broadcastMonthOf } from '../calendar.ts'
import type { OrderState } from '../order/state.ts'
import { receiptOf } from '../order/supersede.ts'
import { acceptedLines, impressionsByUnit, unitCost } from './blocks.ts'
import { type EdiMessage, SCX_STATUS } from './buildScx.ts'

/** The columns of an invoice drop, so that a file can be returned filled in, followed by further columns of an order. */
export const CSV_COLUMNS = [
  'record_type',
  'order_id',
  'seller_order_id',
  'external_order_id',
  'unit_id',
  'network',
  'air_date',
  'air_time',
  'clock',
  'spot_length',
  'isci',
  'makegood_for_unit_id',
  'makegood_for_date',
  'revision',
  'invoice_number',
  'invoice_date',
  'broadcast_month',
  'currency',
  'run_code',
  'rate',
  'invoice_gross',
  'invoice_commission',
  'invoice_net',
  'invoice_spot_count',
  'status',
  'units',
  'estimate_id',
] as const
type CsvColumn = (typeof CSV_COLUMNS)[number]
/** A row; omitted columns are empty, to be filled in by the receiver. */
export type CsvRow = Partial<Record<CsvColumn, string>>

/** Maps a placed order to rows of its csv document: one per unit_id and date, with `units` spots each (choices, Order document: csv). */
export function csvRows(order: OrderState, { event }: Pick<EdiMessage, 'event'>): CsvRow[] {
  const { request, facts } = order
  const impressions = impressionsByUnit(order)
  const { estimate_id } = request.buyer_metadata
  const seller_order_id = receiptOf(order)?.seller_order_id
  return acceptedLines(order).flatMap((line) =>
    line.allocation.map(({ date, units }) => ({
      record_type: 'invoice',
      order_id: facts.order_id,
      ...(seller_order_id === undefined ? {} : { seller_order_id }),
      external_order_id: request.external_order_id,
      unit_id: line.unit_id,
      network: line.network,
      air_date: date,
      clock: 'calendar',
      spot_length: String(line.spot_length),
      ...(line.creative_snapshot === undefined ? {} : { isci: line.creative_snapshot.creative_code }),
      broadcast_month: broadcastMonthOf(date),
      currency: facts.currency,
      rate: unitCost(line, impressions.get(line.unit_id)).toFixed(),
      status: SCX_STATUS[event][0],
      units: String(units),
      ...(estimate_id === undefined ? {} : { estimate_id }),
    })),
  )
}

import type { Order } from '../../api/queries/orders.ts'
import type { Invoice, Reconciliation } from '../../api/queries/settlement.ts'

/** What is saved as CSV: each row says of which order, product, state and currency it is, since rows of several files are put together. */

const FIGURES = ['ordered', 'aired_in_spec', 'aired_out_of_spec', 'makegood', 'missed', 'open', 'unordered', 'duplicate', 'billed'] as const

export const RECONCILED_HEAD = [
  ...['order_id', 'external_order_id', 'unit_id', 'product_id', 'product_title', 'network', 'air_date', 'broadcast_month'],
  ...FIGURES,
  ...['currency', 'ordered_gross', 'billed_gross', 'variance_gross', 'codes', 'states'],
]

/** A row of `RECONCILED_HEAD`; the states are those of the codes' variances, in the same order. */
export function reconciledRow(order: Order | undefined, { order_id, currency }: Pick<Reconciliation, 'order_id' | 'currency'>) {
  return (line: Reconciliation['lines'][number]) => {
    const { unit_id, network, air_date, broadcast_month, ordered_gross, billed_gross, variance_gross, variances } = line
    const sold = order?.line_items.find((one) => one.unit_id === unit_id)
    return [
      ...[order_id, order?.external_order_id, unit_id, sold?.product_id, sold?.product_title, network, air_date, broadcast_month],
      ...FIGURES.map((name) => line[name]),
      ...[currency, ordered_gross, billed_gross, variance_gross],
      ...[variances.map(({ code }) => code).join(' '), variances.map(({ state }) => state).join(' ')],
    ]
  }
}

export const INVOICE_HEAD = [
  ...[
    'invoice_number',
    'status',
    'order_id',
    'external_order_id',
    'kind',
    'unit_id',
    'product_id',
    'product_title',
    'network',
    'spot_length',
  ],
  ...['dates', 'units', 'currency', 'unit_cost', 'cpm', 'fee_pct', 'gross'],
]

/** A row of `INVOICE_HEAD`. */
export function invoiceRow({ invoice_number, status, order_id, external_order_id, currency }: Invoice) {
  return ({ dates = [], kind, unit_id, product_id, product_title, network, spot_length, units, ...money }: Invoice['lines'][number]) => [
    ...[invoice_number, status, order_id, external_order_id, kind, unit_id, product_id, product_title, network, spot_length],
    ...[dates.map(({ date, units: count }) => `${date} ${count}`).join('; '), units, currency],
    ...[money.unit_cost, money.cpm, money.fee_pct, money.gross],
  ]
}

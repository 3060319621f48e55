import { PAST } from '../orders/rowsOfMarket.ts'

/** Rows of settlement for `insertRows`. */

type More = Readonly<Record<string, unknown>>
const PARTIES = { seller: 'seller_one', buyer_entity: 'buyer_one' }
const SPOT = { network: 'CBL', air_date: '2030-06-01' }

export const anInvoiceRow = (invoice_id: string, more: More = {}) =>
  [
    'invoices',
    {
      ...{ invoice_id, ...PARTIES, order_id: 'ord_1', external_order_id: 'ext-1', agreement_id: 'agr_1', broadcast_month: '2030-06' },
      ...{
        kind: 'invoice',
        n: 1,
        invoice_number: invoice_id,
        order_seq: 1,
        currency: 'USD',
        gross: 100,
        commission_pct: 15,
        commission: 15,
      },
      ...{ net: 85, lines: '[]', issued_at: PAST, ...more },
    },
  ] as const

export const aBookedOrderRow = (order_id: string, more: More = {}) =>
  ['booked_orders', { order_id, ...PARTIES, external_order_id: `ext of ${order_id}`, currency: 'USD', booked_seq: 1, ...more }] as const

export const aBookedSpotRow = (order_id: string, unit_id: string, more: More = {}) =>
  [
    'booked_spots',
    {
      ...{ order_id, unit_id, ...SPOT, kind: 'spot', seller: 'seller_one', product_id: 'prime', units: 1, spot_length: 30 },
      ...{ windows: '[]', isci: '[]', price: 10, gross: 10, ...more },
    },
  ] as const

export const aReconciliationRow = (order_id: string, more: More = {}) =>
  [
    'reconciliations',
    {
      ...{ order_id, ...PARTIES, result: 2, state: 'reconciled', currency: 'USD', digest: '\\x01', coverage: '{}', totals: '{}' },
      ...{ guarantees: '[]', codes: [], broadcast_months: [], ...more },
    },
  ] as const

export const aResultLineRow = (order_id: string, line: number, more: More = {}) =>
  [
    'reconciliation_lines',
    {
      order_id,
      result: 2,
      line,
      ...PARTIES,
      unit_id: 'u1',
      ...SPOT,
      broadcast_month: '2030-06',
      codes: [],
      body: '{"variances":[]}',
      ...more,
    },
  ] as const

export const aVarianceActionRow = (order_id: string, variance_id: string, n: number, more: More = {}) =>
  [
    'variance_actions',
    {
      ...{ order_id, variance_id, n, ...PARTIES, action: 'credit', side: 'seller', actor: 'Ada', amount: 5, code: 'MISSED', unit_id: 'u1' },
      ...{ ...SPOT, broadcast_month: '2030-06', units: 1, gross: 10, ...more },
    },
  ] as const

const airing = (order_id: string, row: number) => ({
  ...{ seller: 'seller_one', order_id, ...SPOT, broadcast_date: '2030-06-01', clock: 'broadcast', spot_length: 30, ran: true },
  ...{ registration: 1, file: 'f', row },
})

export const aLogRow = (order_id: string, row: number, more: More = {}) =>
  ['as_run_rows', { ...airing(order_id, row), log_id: '', status: 'aired', ...more }] as const

export const aBillRow = (order_id: string, row: number, more: More = {}) =>
  ['billed_rows', { ...airing(order_id, row), invoice_number: 'n1', broadcast_month: '2030-06', rate: 10, ...more }] as const

/** A makegood that was agreed on, without a spot that it replaces. */
export const anAcceptedMakegoodRow = (makegood_id: string, more: More = {}) =>
  [
    'makegoods',
    {
      ...{
        makegood_id,
        order_id: 'ord_1',
        ...PARTIES,
        status: 'accepted',
        version: 1,
        missed: '[]',
        offers: '[]',
        agreed: '{"replaces":[]}',
      },
      ...{ agreed_outside: false, product_ids: [], created_at: PAST, updated_at: PAST, ...more },
    },
  ] as const

import type { EntryErrorCode, WarningCode } from './vocabulary/codes.ts'
import type { EdiWarningCode } from './vocabulary/edi.ts'

/** The documentation of an entry or warning code: when it occurs and what to do. */
interface Guide {
  readonly when: string
  readonly remedy: string
}

/** Documentation of the error codes of single publish entries. */
export const ENTRY_ERROR_GUIDE: Readonly<Record<EntryErrorCode, Guide>> = {
  UNKNOWN_PRODUCT_ID: {
    when: 'The entry names a product that is not in the catalog of the seller.',
    remedy: 'Publish the product with PUT /me/catalog first, or correct the id.',
  },
  INVALID_ENTRY: {
    when: 'A member of the entry is missing, wrong or contradicts another; `field` names it and `value` repeats what was sent.',
    remedy: 'Correct the entry and send it again; the accepted entries may be sent again with it.',
  },
}

/** Documentation of every warning code; `where` lists the operations that return it. */
export const WARNING_GUIDE: Readonly<Record<WarningCode | EdiWarningCode, Guide & { readonly where: string }>> = {
  UNKNOWN_MEMBER: {
    where: 'Every operation with a body',
    when: 'the body has a member that the operation does not know; it had no effect. `nearest` is the known member that was probably meant.',
    remedy: 'Correct the name, or leave the member out.',
  },
  DATE_GRAIN_AVAILS_MISSING: {
    where: 'POST /orders and POST /orders/preview',
    when: 'a day is ordered for which the seller has published no avail of that day.',
    remedy: 'None needed. You may ask the seller for avails by day.',
  },
  ABOVE_PUBLISHED_AVAIL: {
    where: 'POST /orders and POST /orders/preview',
    when: 'the lines together book more units of a product on these dates than its avail counts.',
    remedy: 'None needed: the seller decides. Order less to make approval more likely.',
  },
  DOUBLE_BOOKED_WEEK: {
    where: 'POST /orders and POST /orders/preview',
    when: 'a month line books these dates, and so does a line of the neighboring month, which shares their week: in this order, or in your orders named by `order_ids`.',
    remedy: 'None needed. If the week should air once, order its dates by weeks or days instead of one of the months.',
  },
  FOREIGN_SEPARATOR: {
    where: 'PUT /uploads/{upload_id}/content',
    when: 'the first row of the csv has more semicolons, tabs or bars than commas. The bytes are stored as they are; an order by them will not find its columns.',
    remedy: 'Save the file as csv with commas between the fields and points in decimals, and upload it again.',
  },
  UNPRICED_DECLARATION: {
    where: 'PUT /me/catalog and PUT /me/rate-cards',
    when: 'a product declares a value that no rate entry prices; `effect` says what follows.',
    remedy: 'Publish a rate entry for the value, or take it out of the product.',
  },
  UNORDERABLE_PRICE: {
    where: 'PUT /me/rate-cards',
    when: 'no order can use the price: its product does not sell that way, does not air in its weeks, or its window has closed.',
    remedy: 'Correct the entry or the product.',
  },
  ZERO_PRICE: {
    where: 'PUT /me/rate-cards',
    when: 'a price is 0, so that orders at it cost nothing. It is published.',
    remedy: 'None if it is meant as free of charge; else publish the right price.',
  },
  DEFAULT_CURRENCY: {
    where: 'PUT /me/rate-cards',
    when: 'entries have no currency; they are published in the currency of the seller. Listed once, at the first of them.',
    remedy: 'Send `currency` with each entry to be certain.',
  },
  UNSOLD_PERIOD: {
    where: 'PUT /me/avails',
    when: 'no order can use the period: its product is not sold by that grain or at that time.',
    remedy: 'Correct the entry or the product.',
  },
  MORE_WARNINGS: {
    where: 'PUT /me/catalog and PUT /me/rate-cards',
    when: 'the reply has more warnings than it lists.',
    remedy: 'Read `unpriced[]` of the catalog, which is complete.',
  },
  SECRET_MISSING: {
    where: 'GET and PUT /me/capabilities',
    when: 'the profile names a secret that the seller has not set; nothing is called until it is.',
    remedy: 'Set the secret with PUT /me/secrets/{name}.',
  },
  NO_ESTIMATE: {
    where: 'A mail of GET /orders/{order_id}/edi',
    when: 'the order has no estimate_id, so its document has no estimate.',
    remedy: 'Send `buyer_metadata.estimate_id` with the order if the billing system files by it.',
  },
  ESTIMATE_NOT_REPRESENTABLE: {
    where: 'A mail of GET /orders/{order_id}/edi',
    when: 'XML cannot carry a character of estimate_id; the document has U+FFFD in its place.',
    remedy: 'Use an estimate_id without control characters.',
  },
}

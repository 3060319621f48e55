import type { EdiDocument } from '../../contract/vocabulary/edi.ts'

/** An earlier mail of a thread that was sent, or may have been. */
export interface EarlierMail {
  readonly order_id: string
  readonly document: EdiDocument
  /** The order that a revised document names. */
  readonly supersedes: string | null
}

/** The document of a mail, or why it is not needed: a sent revision `replaced` it, or `nothing_sent` that it could cancel. */
export type Settled =
  | { readonly document: 'confirmed' | 'cancelled' | 'makegood' }
  | { readonly document: 'revised'; readonly supersedes: string }
  | { readonly skipped: 'replaced' | 'nothing_sent' }

/** Decides the document of a mail by the earlier mails of its thread, oldest first. Called once, before its first attempt. */
export function closeDocument(
  { order_id, document }: { readonly order_id: string; readonly document: EdiDocument },
  gone: readonly EarlierMail[],
): Settled {
  if (document === 'makegood') return { document }
  const orders = gone.filter((mail) => mail.document !== 'makegood')
  if (document !== 'cancelled') {
    const supersedes = openOrder(orders, order_id)
    return supersedes === undefined ? { document: 'confirmed' } : { document: 'revised', supersedes }
  }
  if (orders.some((mail) => mail.supersedes === order_id)) return { skipped: 'replaced' }
  return orders.some((mail) => mail.order_id === order_id && mail.document !== 'cancelled')
    ? { document: 'cancelled' }
    : { skipped: 'nothing_sent' }
}

/** Returns the other order that the agency considers placed: the last one that was sent to it, unless it has been cancelled since. */
function openOrder(gone: readonly EarlierMail[], order_id: string): string | undefined {
  const others = gone.filter((mail) => mail.order_id !== order_id)
  const last = others.findLast(({ document }) => document !== 'cancelled')
  const isCancelled = others.some((mail) => mail.document === 'cancelled' && mail.order_id === last?.order_id)
  return isCancelled ? undefined : last?.order_id
}

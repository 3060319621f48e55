import type { EdiDocument } from '../../contract/vocabulary/edi.ts'

/** A mail of a thread that went before the one in question, or may have. */
export interface EarlierMail {
  readonly order_id: string
  readonly document: EdiDocument
  /** The order that a revised one names. */
  readonly supersedes: string | null
}

/** What a mail is, or why nobody needs it: `replaced` by a revised document that went, `nothing_sent` that it could cancel. */
export type Settled =
  | { readonly document: 'confirmed' | 'cancelled' }
  | { readonly document: 'revised'; readonly supersedes: string }
  | { readonly skipped: 'replaced' | 'nothing_sent' }

/** Settles what a mail is by what went before it in its thread, oldest first. Called once, before its first attempt. */
export function settleDocument(
  { order_id, document }: { readonly order_id: string; readonly document: EdiDocument },
  gone: readonly EarlierMail[],
): Settled {
  if (document !== 'cancelled') {
    const supersedes = standingOrder(gone, order_id)
    return supersedes === undefined ? { document: 'confirmed' } : { document: 'revised', supersedes }
  }
  if (gone.some((mail) => mail.supersedes === order_id)) return { skipped: 'replaced' }
  return gone.some((mail) => mail.order_id === order_id && mail.document !== 'cancelled')
    ? { document: 'cancelled' }
    : { skipped: 'nothing_sent' }
}

/** Returns the other order that the agency has as placed: the last one that was sent to it, unless it was cancelled since. */
function standingOrder(gone: readonly EarlierMail[], order_id: string): string | undefined {
  const others = gone.filter((mail) => mail.order_id !== order_id)
  const last = others.findLast(({ document }) => document !== 'cancelled')
  const isCancelled = others.some((mail) => mail.document === 'cancelled' && mail.order_id === last?.order_id)
  return isCancelled ? undefined : last?.order_id
}

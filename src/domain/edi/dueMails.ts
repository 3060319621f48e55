import type { EdiDocument } from '../../contract/vocabulary/edi.ts'
import type { Instant } from '../calendar.ts'

/** An order that was ever placed. Only a cancel can follow a placement, so its last two events determine its mails. */
export interface PlacedOrder {
  readonly order_id: string
  readonly last_seq: number
  readonly placed_at: Instant
  readonly canceled_at: Instant | null
  /** The order whose placement canceled it. */
  readonly canceled_for: string | null
}

/** A mail that an event requires. */
export interface DueMail {
  readonly order_id: string
  readonly seq: number
  /** A revision is `confirmed` here: the mails before it decide whether it is `revised` (closeDocument). */
  readonly document: Extract<EdiDocument, 'confirmed' | 'cancelled'>
  readonly created_at: Instant
}

/**
 * Returns the mails of one family's orders in the order of their thread, by time. The cancel of a superseded order follows the placement
 * of the order that replaced it, since the revision's document replaces that of the cancel.
 */
export function dueMails(orders: readonly PlacedOrder[]): DueMail[] {
  const placedAt = new Map(orders.map(({ order_id, placed_at }) => [order_id, placed_at]))
  return orders
    .flatMap(({ order_id, last_seq, placed_at, canceled_at, canceled_for }) => {
      const seq = canceled_at === null ? last_seq : last_seq - 1
      const placed = { at: placed_at, rank: 0, mail: { order_id, seq, document: 'confirmed', created_at: placed_at } as const }
      if (canceled_at === null) return [placed]
      const replaced_at = placedAt.get(canceled_for ?? '') ?? ''
      const [, at = canceled_at] = [canceled_at, replaced_at].sort()
      return [placed, { at, rank: 1, mail: { order_id, seq: last_seq, document: 'cancelled', created_at: canceled_at } as const }]
    })
    .sort((one, other) => (one.at === other.at ? one.rank - other.rank : one.at < other.at ? -1 : 1))
    .map(({ mail }) => mail)
}

import { EVENT_TYPES, type EventType, ORDER_STATUSES, type OrderStatus } from '../../contract/vocabulary.ts'

/** What a reader of events asks for: on the feed, a webhook registration and a queue alike. An absent or null member asks for all. */
export interface Subscription {
  readonly events?: readonly EventType[] | null | undefined
  /** Restricts order.status_changed alone (choices, Subscriptions). */
  readonly statuses?: readonly OrderStatus[] | null | undefined
  /** The types that the reader may read at all; absent: every type. */
  readonly readable?: readonly EventType[] | undefined
}

/**
 * The topics that a subscription selects: an event is selected when its `topicOf` is among them; null selects everything. Kept in this
 * form, the rule leaves SQL nothing to do but to look a topic up: `$1::text[] is null or <topic> = any($1)`.
 */
export function topicsOf({ events, statuses, readable = EVENT_TYPES }: Subscription): string[] | null {
  const selected = (events ?? EVENT_TYPES).filter((type) => readable.includes(type))
  if ((events ?? statuses ?? null) === null && selected.length === EVENT_TYPES.length) return null
  return selected.flatMap((event_type) =>
    event_type === 'order.status_changed' ? (statuses ?? ORDER_STATUSES).map((status) => topicOf({ event_type, status })) : [event_type],
  )
}

/** An order's event is filed under its status too; of a row of the feed, in SQL: `event_type || coalesce(':' || status, '')`. */
export function topicOf({ event_type, status }: { event_type: EventType; status?: OrderStatus | null | undefined }): string {
  return (status ?? null) === null ? event_type : `${event_type}:${status}`
}

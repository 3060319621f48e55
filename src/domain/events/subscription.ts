import { EVENT_TYPES, type EventType, ORDER_STATUSES, type OrderStatus } from '../../contract/vocabulary.ts'

/** The filters of the feed, a webhook registration or a queue. An absent or null member selects everything. */
export interface Subscription {
  readonly events?: readonly EventType[] | null | undefined
  /** Restricts order.status_changed only (choices, Subscriptions). */
  readonly statuses?: readonly OrderStatus[] | null | undefined
  /** The types that the credential may read; absent: every type. */
  readonly readable?: readonly EventType[] | undefined
}

/**
 * Returns the topics that a subscription selects; null selects everything. An event is selected if its `topicOf` is among them, so SQL only
 * compares topics: `$1::text[] is null or <topic> = any($1)`.
 */
export function topicsOf({ events, statuses, readable = EVENT_TYPES }: Subscription): string[] | null {
  const selected = (events ?? EVENT_TYPES).filter((type) => readable.includes(type))
  if ((events ?? statuses ?? null) === null && selected.length === EVENT_TYPES.length) return null
  return selected.flatMap((event_type) =>
    event_type === 'order.status_changed' ? (statuses ?? ORDER_STATUSES).map((status) => topicOf({ event_type, status })) : [event_type],
  )
}

/** Returns the topic of an event, which includes an order's status. For a row of the feed, in SQL: `event_type || coalesce(':' || status, '')`. */
export function topicOf({ event_type, status }: { event_type: EventType; status?: OrderStatus | null | undefined }): string {
  return (status ?? null) === null ? event_type : `${event_type}:${status}`
}

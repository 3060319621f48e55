import { NoAnswerError } from './errors.js'
import { pause } from './retry.js'
import type { components, paths } from './schema.js'

export type Event = components['schemas']['EventFeed']['events'][number]
export type OrderEvent = components['schemas']['OrderEventOutput']
type FeedQuery = NonNullable<paths['/events/feed']['get']['parameters']['query']>
type Feed = components['schemas']['EventFeed']

export interface EventsOptions {
  /** The checkpoint of the last event that was dealt with; `now` for what happens from now on; the beginning of the feed if left out. */
  from?: string
  events?: FeedQuery['events']
  statuses?: FeedQuery['statuses']
  /** The longest wait of one call for the next event, 0 to 30 s. 0 ends the iteration at the end of the feed. */
  waitSeconds?: number
  signal?: AbortSignal
}

export interface FeedItem {
  event: Event
  /** Keep it in the transaction in which you deal with the event, and go on from it: then each event is dealt with exactly once. */
  checkpoint: string
}

/** Where a reader is: the cursor of a page, and the events of that page that it has had. */
interface Place {
  after?: string
  had: string[]
}

/**
 * Yields the events of the feed in their order, from a checkpoint on. The feed is at least once; an event that a page repeats is recognized
 * by its id, which for an event of an order is order_id:seq.
 */
export async function* readEvents(
  read: (query: FeedQuery, signal: AbortSignal | undefined) => Promise<Feed>,
  { from, waitSeconds = 25, signal, ...filters }: EventsOptions,
): AsyncGenerator<FeedItem> {
  for (let place = placeOf(from); ; ) {
    signal?.throwIfAborted()
    const wait = place.after === 'now' ? {} : { wait_s: waitSeconds }
    const page = await read({ ...filters, ...wait, ...(place.after !== undefined && { after: place.after }) } as FeedQuery, signal).catch(
      // A call that waits is the likeliest to lose its connection; it has changed nothing.
      (error: unknown) => (error instanceof NoAnswerError ? undefined : Promise.reject(error)),
    )
    if (page === undefined) {
      await pause(1_000, signal)
      continue
    }
    const had = new Set(place.had)
    const last = page.events.at(-1)
    for (const event of page.events) {
      const id = eventId(event)
      if (had.has(id)) continue
      had.add(id)
      // Behind the last event of a page the cursor of the next one says it all.
      yield { event, checkpoint: event === last ? page.next_cursor : JSON.stringify({ after: place.after, had: [...had] }) }
    }
    if (waitSeconds === 0 && page.events.length === 0 && place.after !== 'now') return
    place = { after: page.next_cursor, had: [] }
  }
}

/** Whether an event is one of an order: the fallback for other types has no type of its own. */
export function isOrderEvent(event: Event): event is OrderEvent {
  return event.event_type === 'order.status_changed'
}

/** The id of an event, by which repeats are recognized. */
export function eventId(event: Event): string {
  const { event_id, order_id, seq } = event as { event_id?: string; order_id?: string; seq?: number }
  return event_id ?? `${order_id}:${seq}`
}

function placeOf(from: string | undefined): Place {
  if (from === undefined) return { had: [] }
  return from.startsWith('{') ? (JSON.parse(from) as Place) : { after: from, had: [] }
}

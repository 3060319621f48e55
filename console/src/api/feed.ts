import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { coalesced } from './coalesced.ts'
import { Fault } from './fault.ts'
import { readFeed } from './queries/feed.ts'
import { rest } from './rest.ts'

/** Names the orders that have changed, or says that everything must be read again. */
type Change = { readonly orders: readonly string[] } | { readonly all: true }

const WAIT_SECONDS = 25
const MANY = 500
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 30_000
/** The shortest time between two reads of the lists, however many events arrive; counts cost the API most, so they are read less often. */
const LISTS_PAUSE_MS = 1_000
const COUNTS_PAUSE_MS = 2_000

/**
 * Keeps the page up to date. One tab of each tenant polls the feed and informs the others, since a browser opens only six connections to a
 * server and a poll occupies one. A new session starts the feed again. Without a tenant, as for operators, there is no feed.
 */
export function useFeed(tenant: string | undefined, session: string): void {
  const queries = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the poll of a session that has ended has ended too
  useEffect(() => {
    if (tenant === undefined) return
    const ending = new AbortController()
    const channel = new BroadcastChannel(`feed:${tenant}`)
    const apply = applier(queries)
    channel.onmessage = ({ data }: MessageEvent<Change>) => apply(data)
    const tell = (change: Change) => {
      channel.postMessage(change)
      apply(change)
    }
    const poll = () => follow(tell, ending.signal)
    // Without a secure context there are no locks, so each tab polls for itself.
    const polling = navigator.locks ? navigator.locks.request(`feed:${tenant}`, { signal: ending.signal }, poll) : poll()
    polling.catch(() => undefined)
    return () => {
      ending.abort()
      channel.close()
    }
  }, [queries, tenant, session])
}

async function follow(tell: (change: Change) => void, signal: AbortSignal): Promise<void> {
  let cursor: string | undefined
  let pause = FIRST_PAUSE_MS
  while (!signal.aborted) {
    try {
      if (cursor === undefined) {
        cursor = (await readFeed('now', 0, signal)).next_cursor
        tell({ all: true })
      }
      const { events, next_cursor }: Awaited<ReturnType<typeof readFeed>> = await readFeed(cursor, WAIT_SECONDS, signal)
      // After many events, reading everything again is cheaper than applying the events.
      cursor = events.length >= MANY ? undefined : next_cursor
      const orders = [...new Set(events.flatMap((event) => ('order_id' in event && event.order_id ? [event.order_id] : [])))]
      if (orders.length > 0 && cursor !== undefined) tell({ orders })
      pause = FIRST_PAUSE_MS
    } catch (error) {
      if (signal.aborted || (error instanceof Fault && error.status === 401)) return
      cursor = undefined
      await rest(pause, signal)
      pause = Math.min(pause * 2, LAST_PAUSE_MS)
    }
  }
}

/** Refreshes the data that a change affects. A hidden tab reads nothing until it is visible again. */
function applier(queries: QueryClient): (change: Change) => void {
  const reread = (isConcerned: (queryKey: readonly unknown[]) => boolean) =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => isConcerned(queryKey), refetchType: document.hidden ? 'none' : 'active' })
  const lists = coalesced(() => reread(([kind]) => kind === 'orders'), LISTS_PAUSE_MS)
  const counts = coalesced(() => reread(([kind]) => kind === 'order-counts'), COUNTS_PAUSE_MS)
  return (change) => {
    const isOf = (id: unknown) => 'all' in change || change.orders.includes(String(id))
    void reread(([kind, id, , at]) => kind === 'order' && isOf(id) && (at === undefined || at === 'now'))
    lists()
    counts()
  }
}

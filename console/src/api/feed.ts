import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Fault } from './fault.ts'
import { readFeed } from './queries/feed.ts'

/** Says which orders have changed; without any, that everything has to be read again. */
type Change = { readonly orders: readonly string[] } | { readonly all: true }

const WAIT_SECONDS = 25
const MANY = 500
const FIRST_PAUSE_MS = 1_000
const LAST_PAUSE_MS = 30_000

/**
 * Keeps what is shown up to date. One tab of a tenant polls the feed and tells the others, since a browser has six connections to a server and a poll
 * holds one.
 */
export function useFeed(tenant: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const ending = new AbortController()
    const channel = new BroadcastChannel(`feed:${tenant}`)
    channel.onmessage = ({ data }: MessageEvent<Change>) => apply(queries, data)
    const tell = (change: Change) => {
      channel.postMessage(change)
      apply(queries, change)
    }
    const poll = () => follow(tell, ending.signal)
    // Outside of a secure context there are no locks: each tab polls for itself.
    const polling = navigator.locks ? navigator.locks.request(`feed:${tenant}`, { signal: ending.signal }, poll) : poll()
    polling.catch(() => undefined)
    return () => {
      ending.abort()
      channel.close()
    }
  }, [queries, tenant])
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
      // Far behind: reading all again is cheaper than the events in between.
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

function apply(queries: QueryClient, change: Change): void {
  const isOf = (id: unknown) => 'all' in change || change.orders.includes(String(id))
  void queries.invalidateQueries({
    predicate: ({ queryKey: [kind, id, , at] }) =>
      kind === 'orders' || (kind === 'order' && isOf(id) && (at === undefined || at === 'now')),
  })
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
}

import { setTimeout as sleep } from 'node:timers/promises'

/** How far orders are, as it is heard. */
export interface Progress {
  heard(orderId: string, state: string): void
  /** Fails when the order does not get there within a minute. */
  reaches(orderId: string, state: string): Promise<void>
  /** Comes back when so many orders have been in the state; fails when no further one gets there within a minute. */
  count(state: string, orders: number): Promise<void>
}

const TOO_LONG_MS = 60_000
const LOOK_MS = 20

export function followProgress(): Progress {
  const seen = new Set<string>()
  const waiting = new Map<string, () => void>()
  const counts = new Map<string, number>()
  const countOf = (state: string) => counts.get(state) ?? 0
  return {
    heard(orderId, state) {
      counts.set(state, countOf(state) + 1)
      const key = `${orderId} ${state}`
      const arrived = waiting.get(key)
      if (arrived === undefined) seen.add(key)
      else arrived()
    },
    async reaches(orderId, state) {
      const key = `${orderId} ${state}`
      if (seen.delete(key)) return
      let timer: NodeJS.Timeout | undefined
      const arrived = new Promise<void>((done, fail) => {
        waiting.set(key, done)
        timer = setTimeout(() => fail(new Error(`an order was not ${state} within a minute`)), TOO_LONG_MS)
      })
      await arrived.finally(() => {
        clearTimeout(timer)
        waiting.delete(key)
      })
    },
    async count(state, orders) {
      let last = { count: -1, at: 0 }
      while (countOf(state) < orders) {
        if (countOf(state) > last.count) last = { count: countOf(state), at: performance.now() }
        else if (performance.now() - last.at > TOO_LONG_MS) throw new Error(`only ${last.count} of ${orders} orders were ${state}`)
        await sleep(LOOK_MS)
      }
    },
  }
}

import { useSyncExternalStore } from 'react'

/** Since when calls have failed, and why: the marketplace does not answer, or it has rate-limited this tenant. */
export interface Outage {
  readonly since: number
  readonly why: 'silent' | 'limited'
}

let outage: Outage | undefined
const listeners = new Set<() => void>()

/** Records the status of the latest call. */
export function noteAnswer(status: number): void {
  const why = NO_ANSWER.has(status) ? 'silent' : status === 429 ? 'limited' : undefined
  if (why === outage?.why) return
  outage = why === undefined ? undefined : { since: outage?.since ?? Date.now(), why }
  for (const listener of listeners) listener()
}

export function useOutage(): Outage | undefined {
  return useSyncExternalStore(subscribe, () => outage)
}

/** Returns the time since which the marketplace has not answered, or undefined while it answers. Nothing can be sent during an outage. */
export function useDownSince(): number | undefined {
  return useOutage()?.since
}

/** Statuses that count as no answer; 0 means a call without any reply. */
const NO_ANSWER = new Set([0, 502, 503, 504])

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

import { useSyncExternalStore } from 'react'

/** Since when calls bring nothing, and why: there is no answer, or the marketplace asks this tenant to slow down. */
export interface Outage {
  readonly since: number
  readonly why: 'silent' | 'limited'
}

let outage: Outage | undefined
const listeners = new Set<() => void>()

/** Notes how the marketplace answered the last call. */
export function noteAnswer(status: number): void {
  const why = NO_ANSWER.has(status) ? 'silent' : status === 429 ? 'limited' : undefined
  if (why === outage?.why) return
  outage = why === undefined ? undefined : { since: outage?.since ?? Date.now(), why }
  for (const listener of listeners) listener()
}

export function useOutage(): Outage | undefined {
  return useSyncExternalStore(subscribe, () => outage)
}

/** Since when the marketplace has not answered, or undefined while it does. Nothing can be sent until then. */
export function useDownSince(): number | undefined {
  return useOutage()?.since
}

/** 0 is a call without any answer. */
const NO_ANSWER = new Set([0, 502, 503, 504])

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

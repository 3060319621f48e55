import { useSyncExternalStore } from 'react'

let downSince: number | undefined
const listeners = new Set<() => void>()

/** Notes whether the marketplace answered the last call. */
export function noteAnswer(isUp: boolean): void {
  const before = downSince
  downSince = isUp ? undefined : (downSince ?? Date.now())
  if (before !== downSince) for (const listener of listeners) listener()
}

/** Since when the marketplace has not answered, or undefined while it does. */
export function useDownSince(): number | undefined {
  return useSyncExternalStore(subscribe, () => downSince)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

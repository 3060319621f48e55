import { useCallback, useSyncExternalStore } from 'react'

/** What somebody has typed and not sent, by tenant and subject; it survives a reload and a sign-in of the same tenant. */
export function useDraft<Draft>(tenant: string, subject: string, empty: Draft): readonly [Draft, (next: Draft | undefined) => void] {
  const key = `draft:${tenant}:${subject}`
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(key))
  const set = useCallback(
    (next: Draft | undefined) => {
      if (next === undefined) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, JSON.stringify(next))
      for (const listener of listeners) listener()
    },
    [key],
  )
  return [text === null ? empty : (JSON.parse(text) as Draft), set]
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

import { useSyncExternalStore } from 'react'

/** How long a decision can be undone before it is sent, in seconds: a setting of the person, kept in this browser. */
export const UNDO_SECONDS = [0, 5, 10] as const
const DEFAULT_SECONDS = 5
const KEY = 'console.undo-seconds'
const listeners = new Set<() => void>()

export function undoSeconds(): number {
  const kept = localStorage.getItem(KEY)
  return UNDO_SECONDS.find((one) => String(one) === kept) ?? DEFAULT_SECONDS
}

export function useUndoSeconds(): readonly [number, (seconds: number) => void] {
  return [useSyncExternalStore(subscribe, undoSeconds), set]
}

function set(seconds: number): void {
  localStorage.setItem(KEY, String(seconds))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

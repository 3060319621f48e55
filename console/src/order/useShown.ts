import { useEffect, useState } from 'react'

/** How long something must have been on the page before it can be sent. */
const SHOWN_MS = 400

interface Shown<State> {
  /** The state that the user has had in view; undefined until it has been shown long enough. */
  readonly seen: State | undefined
  /** Lets the user see what there is now: it is `seen` once it has been shown as long. */
  readonly proceed: () => void
}

/**
 * Holds the state of an order that its user has read. It does not change when the order does, so that what is sent is about what was shown. Mount
 * it again for another order. Where nothing is being answered yet, `isHeld` is false, and what has been shown long enough becomes what was seen.
 */
export function useShown<State extends { readonly last_seq: number }>(state: State, isHeld = true): Shown<State> {
  const [seen, setSeen] = useState<State>()
  const isSeen = seen !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same state that is read again has been shown all along
  useEffect(() => {
    if (isSeen && isHeld) return
    const timer = setTimeout(() => setSeen(state), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [state.last_seq, isSeen, isHeld])
  return { seen, proceed: () => setSeen(undefined) }
}

/** Whether what `key` names has been on the page for long enough to be sent. */
export function useIsShown(key: string): boolean {
  const [shown, setShown] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setShown(key), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [key])
  return shown === key
}

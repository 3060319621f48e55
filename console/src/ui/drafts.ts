import { type Dispatch, type SetStateAction, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'

/** Keeps unsent input by tenant and subject; it survives a reload and a new sign-in of the same tenant. */
export function useDraft<Draft>(tenant: string, subject: string, empty: Draft): readonly [Draft, (next: Draft | undefined) => void] {
  const key = keyOf(tenant, subject)
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(key))
  const set = useCallback((next: Draft | undefined) => write(key, next), [key])
  return [text === null ? empty : (JSON.parse(text) as Draft), set]
}

const KEEP_AFTER_MS = 500

/**
 * Keeps a draft too large to store at each key press: it is stored when the user pauses or leaves. For another subject, mount it again.
 */
export function useLargeDraft<Draft>(tenant: string, subject: string, empty: Draft): readonly [Draft, Dispatch<SetStateAction<Draft>>] {
  const key = keyOf(tenant, subject)
  const [draft, setDraft] = useState(() => keptDraft(key, empty))
  const latest = useRef(draft)
  const kept = useRef(draft)
  const keep = useCallback(() => {
    if (latest.current !== kept.current) writeDraft(key, latest.current)
    kept.current = latest.current
  }, [key])
  useEffect(() => {
    latest.current = draft
    const timer = setTimeout(keep, KEEP_AFTER_MS)
    return () => clearTimeout(timer)
  }, [draft, keep])
  useEffect(() => {
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [keep])
  return [draft, setDraft]
}

function keptDraft<Draft>(key: string, empty: Draft): Draft {
  const text = sessionStorage.getItem(key)
  return text === null ? empty : (JSON.parse(text) as Draft)
}

/** Stores a draft; one that exceeds the browser's quota exists only in this page. */
function writeDraft(key: string, draft: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft))
  } catch {
    sessionStorage.removeItem(key)
  }
}

/** Returns every draft of a tenant whose subject begins with `prefix`, by the rest of the subject. */
export function useDrafts<Draft>(
  tenant: string,
  prefix: string,
): readonly [
  Readonly<Record<string, Draft>>,
  (rest: string, next: Draft | undefined) => void,
  (rest: string, change: (draft: Draft) => Draft) => void,
] {
  const begin = keyOf(tenant, prefix)
  const text = useSyncExternalStore(subscribe, () => JSON.stringify(textsOf(begin)))
  const drafts = useMemo(() => {
    const texts = JSON.parse(text) as [string, string][]
    return Object.fromEntries(texts.map(([rest, draft]) => [rest, JSON.parse(draft) as Draft]))
  }, [text])
  const set = useCallback((rest: string, next: Draft | undefined) => write(`${begin}${rest}`, next), [begin])
  const update = useCallback(
    (rest: string, change: (draft: Draft) => Draft) => {
      const now = sessionStorage.getItem(`${begin}${rest}`)
      if (now !== null) write(`${begin}${rest}`, change(JSON.parse(now) as Draft))
    },
    [begin],
  )
  return [drafts, set, update]
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function keyOf(tenant: string, subject: string): string {
  return `draft:${tenant}:${subject}`
}

function textsOf(begin: string): [string, string][] {
  const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(begin))
  return keys.toSorted().map((key) => [key.slice(begin.length), sessionStorage.getItem(key) ?? 'null'])
}

function write(key: string, next: unknown): void {
  if (next === undefined) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(next))
  for (const listener of listeners) listener()
}

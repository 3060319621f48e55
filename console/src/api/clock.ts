import { useSyncExternalStore } from 'react'

let offset = 0
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Notes the marketplace's clock, so that countdowns do not depend on that of this machine. */
export function noteServerDate(date: string | null): void {
  const server = date === null ? Number.NaN : Date.parse(date)
  // The header has whole seconds: a smaller difference says nothing.
  if (Number.isFinite(server) && Math.abs(server - Date.now() - offset) > 1_500) offset = server - Date.now()
}

/** The marketplace's time in ms, updated each second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

const RECENT_MS = 60_000

/** Whether something has begun within the last minute, so that its end can be expected soon. */
export function isRecent(at: string): boolean {
  return serverNow() - Date.parse(at) < RECENT_MS
}

export function serverNow(): number {
  return Date.now() + offset
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, 1_000)
  tick()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  const second = Math.floor(serverNow() / 1_000) * 1_000
  if (second === now) return
  now = second
  for (const listener of listeners) listener()
}

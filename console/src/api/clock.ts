import { useSyncExternalStore } from 'react'

let offset = 0
let now = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Records the marketplace's clock, so that countdowns do not depend on the clock of this computer. */
export function noteServerDate(date: string | null): void {
  const server = date === null ? Number.NaN : Date.parse(date)
  // The header has whole seconds, so a small difference means nothing.
  if (Number.isFinite(server) && Math.abs(server - Date.now() - offset) > 1_500) offset = server - Date.now()
}

/** Returns the marketplace's time in ms, updated every second. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

const RECENT_MS = 60_000

/** Whether something began within the last minute, so that it can be expected to end soon. */
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

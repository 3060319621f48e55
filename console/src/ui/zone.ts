import { useSyncExternalStore } from 'react'

/** The time zone in which this person reads times: that of the computer, or UTC. It is kept in this browser. */
const KEY = 'console.utc'
const listeners = new Set<() => void>()

export function useIsUtc(): readonly [boolean, (isUtc: boolean) => void] {
  return [useSyncExternalStore(subscribe, () => localStorage.getItem(KEY) !== null), set]
}

function set(isUtc: boolean): void {
  if (isUtc) localStorage.setItem(KEY, 'true')
  else localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The short name of the zone, at a time: `EST`, `GMT+1`, `UTC`. */
export function zoneName(isUtc: boolean, at = Date.now()): string {
  if (isUtc) return 'UTC'
  const parts = new Intl.DateTimeFormat('en-US', { timeZoneName: 'short' }).formatToParts(at)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const FORMS = {
  time: { ...CLOCK, second: '2-digit' },
  short: { month: 'short', day: 'numeric', ...CLOCK },
  year: { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK },
  paper: { year: 'numeric', month: 'short', day: 'numeric', ...CLOCK, timeZoneName: 'short' },
} as const
const made = new Map<string, Intl.DateTimeFormat>()

/** Writes an instant; a date has its year when it is not of this one. */
export function instantText(at: string, form: 'time' | 'short' | 'paper', isUtc: boolean): string {
  const date = new Date(at)
  const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear()
  return formatOf(form === 'short' && !isThisYear ? 'year' : form, isUtc).format(date)
}

function formatOf(form: keyof typeof FORMS, isUtc: boolean): Intl.DateTimeFormat {
  const key = `${form} ${isUtc}`
  const format = made.get(key) ?? new Intl.DateTimeFormat('en-US', { ...FORMS[form], ...(isUtc && { timeZone: 'UTC' }) })
  made.set(key, format)
  return format
}

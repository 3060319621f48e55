/** Refuses sources for a while after too many failed sign-ins. */
export interface FailedSignIns {
  note(source: string): void
  isRefused(source: string): boolean
}

export interface FailureBounds {
  /** The number of failures within `withinMs` at which a source is refused. */
  readonly most: number
  readonly withinMs: number
  readonly refusedMs: number
}

/** The most sources kept; beyond that the oldest one is forgotten. */
const REMEMBERED = 10_000

export function failedSignIns({ most, withinMs, refusedMs }: FailureBounds, now: () => number = Date.now): FailedSignIns {
  const sources = new Map<string, { times: number[]; refusedUntil: number }>()
  return {
    note(source) {
      const { times, refusedUntil } = sources.get(source) ?? { times: [], refusedUntil: 0 }
      const recent = [...times.filter((at) => at > now() - withinMs), now()]
      sources.delete(source)
      if (sources.size >= REMEMBERED) sources.delete(sources.keys().next().value as string)
      sources.set(source, recent.length >= most ? { times: [], refusedUntil: now() + refusedMs } : { times: recent, refusedUntil })
    },
    isRefused: (source) => (sources.get(source)?.refusedUntil ?? 0) > now(),
  }
}

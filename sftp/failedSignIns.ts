/** Refuses sources, for a time, from which too many sign-ins have failed. */
export interface FailedSignIns {
  note(source: string): void
  isRefused(source: string): boolean
}

export interface FailureBounds {
  /** Failures of one source within `withinMs` from which on it is refused. */
  readonly most: number
  readonly withinMs: number
  readonly refusedMs: number
}

/** Sources remembered; beyond them the oldest is forgotten. */
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

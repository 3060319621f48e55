/** Limits of time for things of which nearly all end before. All share one timer, since a timer for each costs more than the rest of watching it. */
export interface TimeLimits {
  /** Calls `onPassed` after so many milliseconds, unless the function that is returned is called before. */
  begin(milliseconds: number, onPassed: () => void): () => void
}

interface Limit {
  readonly at: number
  readonly onPassed: () => void
}

/** Keeps no process alive: what is limited does. */
export function openTimeLimits(): TimeLimits {
  const open = new Set<Limit>()
  let timer: NodeJS.Timeout | undefined
  let armedFor = Number.POSITIVE_INFINITY

  const arm = (at: number): void => {
    clearTimeout(timer)
    armedFor = at
    timer = setTimeout(pass, Math.ceil(at - performance.now())).unref()
  }
  const pass = (): void => {
    armedFor = Number.POSITIVE_INFINITY
    const now = performance.now()
    const passed: Limit[] = []
    let next = Number.POSITIVE_INFINITY
    for (const limit of open) {
      if (limit.at <= now) passed.push(limit)
      else next = Math.min(next, limit.at)
    }
    if (next !== Number.POSITIVE_INFINITY) arm(next)
    for (const limit of passed) if (open.delete(limit)) limit.onPassed()
  }

  return {
    begin(milliseconds, onPassed) {
      const limit = { at: performance.now() + milliseconds, onPassed }
      open.add(limit)
      if (limit.at < armedFor) arm(limit.at)
      return () => open.delete(limit)
    },
  }
}

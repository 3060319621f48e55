/** Time limits for operations that nearly always end earlier. All share one timer, since a timer for each would cost more than the rest. */
export interface TimeLimits {
  /** Calls `onPassed` after this many milliseconds, unless the returned function is called first. */
  begin(milliseconds: number, onPassed: () => void): () => void
}

interface Limit {
  readonly at: number
  readonly onPassed: () => void
}

/** Opens time limits whose timer keeps no process alive: the limited operations do that themselves. */
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

/**
 * Calls `stop` at the first stop signal. A later second one ends this process, and what it still runs, immediately. The same
 * signal repeated within a second counts once: at Ctrl-C the terminal signals the whole process group, and npm forwards its own.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let first: { signal: NodeJS.Signals; at: number } | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (first === undefined) {
      first = { signal, at: performance.now() }
      stop(signal)
    } else if (signal !== first.signal || performance.now() - first.at > SAME_MS) process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
}

const SAME_MS = 1_000
